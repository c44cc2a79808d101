import { join } from 'node:path';
import type { Context } from '../context.ts';
import { findIncompleteRecords } from '../db/integrity.ts';
import { examine, repair } from '../jobs/recount.ts';
import { compareImageFiles } from '../resources/media/image-files.ts';
import { type Command, CommandError, command } from './command.ts';

/** Recounts all counters, and looks for incomplete records and images. */
export const doctorCommand: Command = command({
  name: 'doctor',
  summary: 'Report counters that are inconsistent and records that are incomplete.',
  words: [],
  options: { fix: { about: 'Correct the counters.' } },
  notes:
    'Ends with status 1 if anything is incomplete, or inconsistent without --fix. Stop the server before --fix on a busy ' +
    'site.',
  async work({ context, options, print }) {
    const findings = options.fix ? await repair(context.db) : await examine(context.db);
    for (const { counter, id, stored, counted } of findings)
      print(`${counter} of ${id} says ${stored}, counted ${counted}`);
    if (findings.length === 0) print('All counters are consistent.');
    else if (options.fix) print(`Corrected: ${findings.length}.`);
    const isComplete = await printIncomplete(context, print);
    const problems = [
      ...(findings.length > 0 && !options.fix ? [inconsistent(findings.length)] : []),
      ...(isComplete ? [] : ['Some records are incomplete. Only a backup has the missing parts.']),
    ];
    if (problems.length > 0) throw new CommandError(problems.join('\n'));
  },
});

const inconsistent = (count: number): string =>
  `${count === 1 ? '1 counter is' : `${count} counters are`} inconsistent. Run: marquee doctor --fix`;

/** Prints incomplete records and images; returns whether there are none. */
async function printIncomplete({ db, config }: Context, print: (line: string) => void): Promise<boolean> {
  const records = await findIncompleteRecords(db);
  for (const { what, count, example } of records) print(`${count} × ${what}, such as ${example}`);
  const { missing, stray } = await compareImageFiles(db, join(config.data, 'uploads'));
  if (missing) print(`${missing.count} × file of an image that is gone, such as ${missing.example}`);
  if (stray) print(`${stray.count} × file of no image, such as ${stray.example}; these do no harm`);
  const isComplete = records.length === 0 && !missing;
  if (isComplete) print('All records are complete.');
  return isComplete;
}
