import { isGiven } from '../../base/site-config.ts';
import { findFirstLanguage } from '../../db/site-settings.ts';
import { commandLine } from '../../lib/actor.ts';
import { type Command, CommandError, command } from './command.ts';
import { switchFirstLanguage } from './switch-language.ts';

/** Makes another language the first, in which the records' own texts are written. */
export const firstLanguageCommand: Command = command({
  name: 'first-language',
  summary: 'Makes another language the first of the site.',
  words: ['LANGUAGE'],
  notes:
    'LANGUAGE is one of those of the site. Whatever has no text in it keeps the one it shows. All is changed or nothing.\n' +
    'Save the data and stop every server before; if MARQUEE_LANGUAGES is set, start them with LANGUAGE first in it.',
  openOptions: { anyLanguage: true },
  async work({ context: { db, config, now }, words: [given = ''], print }) {
    const wanted = config.languages.find((language) => language.toLowerCase() === given.toLowerCase());
    if (wanted === undefined)
      throw new CommandError(`The languages of the site are ${config.languages.join(', ')}, but not ${given}.`);
    if ((await findFirstLanguage(db)) === undefined)
      throw new CommandError(
        'It is not known yet in which language the records are: put that one first in MARQUEE_LANGUAGES ' +
          'and run "npx marquee migrate" before.',
      );
    const order = [wanted, ...config.languages.filter((language) => language !== wanted)];
    const isChosen = !isGiven(config, 'languages');
    const moved = await switchFirstLanguage(db, wanted, commandLine(now()), isChosen ? order : undefined);
    if (moved === undefined) {
      print(`${wanted} is the first language already; nothing is changed.`);
      return;
    }
    print(`${wanted} is the first language now; records moved: ${moved}.`);
    if (!isChosen) print(`Start every server with MARQUEE_LANGUAGES=${order.join(',')}`);
  },
});
