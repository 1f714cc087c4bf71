import { useMessages } from '../../../../platform/text/MessagesContext.tsx';

/**
 * What a dialog shows until its answer is there. Its style is that of meters, which pages link: an import would bring it to
 * every page that may open the dialog.
 */
export function Waiting({ text }: { text: 'server_content.planning' | 'server_content.loading' }) {
  const { t } = useMessages();
  return (
    <div className="waits" aria-busy="true">
      <p className="meta" role="status">
        {t(text)}
      </p>
      <progress className="meter go" aria-label={t(text)} />
    </div>
  );
}
