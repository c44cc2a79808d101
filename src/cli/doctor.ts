import { join } from 'node:path';
import type { Context } from '../context.ts';
import { findIncompleteRecords } from '../db/integrity.ts';
import { examine, repair } from '../jobs/recount.ts';
import { compareImageFiles } from '../resources/media/image-files.ts';
import { type Command, CommandError, command } from './command.ts';

/** Recounts what is kept as a number, and looks for records and images that lack a part. */
export const doctorCommand: Command = command({
  name: 'doctor',
  summary: 'Count everything anew, and say which numbers are off and what is incomplete.',
  words: [],
  options: { fix: { about: 'Put the numbers right.' } },
  notes:
    'Ends with status 1 when something is incomplete, or off and --fix is not given. Stop the server before --fix on a ' +
    'busy site.',
  async work({ context, options, print }) {
    const findings = options.fix ? await repair(context.db) : await examine(context.db);
    for (const { counter, id, stored, counted } of findings)
      print(`${counter} of ${id} says ${stored}, counted ${counted}`);
    if (findings.length === 0) print('Every number is right.');
    else if (options.fix) print(`Put right: ${findings.length}.`);
    const isWhole = await printIncomplete(context, print);
    const problems = [
      ...(findings.length > 0 && !options.fix ? [`${findings.length} numbers are off. Run: marquee doctor --fix`] : []),
      ...(isWhole ? [] : ['Something is incomplete. Only a backup has what is missing.']),
    ];
    if (problems.length > 0) throw new CommandError(problems.join('\n'));
  },
});

/** Prints what is incomplete; returns whether nothing is. */
async function printIncomplete({ db, config }: Context, print: (line: string) => void): Promise<boolean> {
  const records = await findIncompleteRecords(db);
  for (const { what, count, example } of records) print(`${count} × ${what}, such as ${example}`);
  const { missing, stray } = await compareImageFiles(db, join(config.data, 'uploads'));
  if (missing) print(`${missing.count} × file of an image that is gone, such as ${missing.example}`);
  if (stray) print(`${stray.count} × file of no image, such as ${stray.example}; these do no harm`);
  const isWhole = records.length === 0 && !missing;
  if (isWhole) print('Every record is whole.');
  return isWhole;
}
