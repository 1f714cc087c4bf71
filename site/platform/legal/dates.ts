/** Writes out days that are settings of the operator: the build knows neither them nor the reader's language. */
const { formatting } = document.documentElement.dataset;
for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-day]'))
  time.textContent = new Intl.DateTimeFormat(formatting, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(time.dateTime),
  );
