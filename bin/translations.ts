import { translationFiles, translationReport } from './translation-report.ts';

/**
 * `node bin/translations.mjs`: how far each language is behind en-US. `list` prints the keys. `clean` deletes
 * translations that nothing can use, so that English is displayed, and prints them; of new ones it records the English
 * text. `confirm <tag> [key...]` records that translations fit the English text of today: those of `key`, or all
 * outdated ones.
 */
const [command, tag = '', ...keys] = process.argv.slice(2);
const files = translationFiles();
switch (command) {
  case undefined:
    break;
  case 'list':
    for (const one of files.tags) {
      const { lacking, outdated } = files.state(one);
      for (const key of lacking) console.log(`${one} lacks ${key}`);
      for (const key of outdated) console.log(`${one} has an outdated ${key}`);
    }
    break;
  case 'clean':
    for (const one of files.tags)
      for (const { key, reason } of files.clean(one)) console.log(`${one}: deleted ${key}: ${reason}`);
    break;
  case 'confirm':
    if (files.tags.includes(tag)) files.confirm(tag, keys.length > 0 ? keys : files.state(tag).outdated);
    else fail(`There are no translations in “${tag}”; there are some in ${files.tags.join(', ')}.`);
    break;
  default:
    fail('usage: node bin/translations.mjs [list | clean | confirm <tag> [key...]]');
}
for (const line of translationReport(files).behind) console.log(line);

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
