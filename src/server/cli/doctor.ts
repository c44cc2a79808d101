import { join } from 'node:path';
import type { Context } from '../../base/context.ts';
import { findIncompleteRecords, findLostCounts, restoreCounts } from '../../db/integrity.ts';
import { examine, repair } from '../../jobs/recount.ts';
import { compareImageFiles } from '../../platform/media/image-files.ts';
import { type Command, CommandError, command } from './command.ts';

/** Recounts stored counters, and finds incomplete records, missing image files and lost change counters. */
export const doctorCommand: Command = command({
  name: 'doctor',
  summary: 'Recounts all counters, and reports inconsistent ones and incomplete records.',
  words: [],
  options: { fix: { about: 'Corrects inconsistent counters, and counts changes again.' } },
  notes:
    'Exits with status 1 when records are incomplete, or counters are inconsistent and --fix is not given. On a busy\n' +
    'site, stop the server before --fix.',
  async work({ context, options, print }) {
    const findings = options.fix ? await repair(context.db) : await examine(context.db);
    for (const { counter, id, stored, counted } of findings)
      print(`${counter} of ${id} is ${stored}, counted ${counted}`);
    if (findings.length === 0) print('All counters are consistent.');
    else if (options.fix) print(`Counters corrected: ${findings.length}.`);
    const lost = options.fix ? await restoreCounts(context.db) : await findLostCounts(context.db);
    for (const part of lost) print(`changes of ${part} ${options.fix ? 'are counted again' : 'are not counted'}`);
    const isWhole = await printIncomplete(context, print);
    const problems = [
      ...(lost.length > 0 && !options.fix
        ? ['Without counts of changes nothing is cached. Run: marquee doctor --fix']
        : []),
      ...(findings.length > 0 && !options.fix
        ? [`Inconsistent counters: ${findings.length}. Run: marquee doctor --fix`]
        : []),
      ...(isWhole ? [] : ['Incomplete records and missing files can only be restored from a backup.']),
    ];
    if (problems.length > 0) throw new CommandError(problems.join('\n'));
  },
});

/** Prints incomplete records and missing files; returns whether everything is complete. */
async function printIncomplete({ db, config }: Context, print: (line: string) => void): Promise<boolean> {
  const records = await findIncompleteRecords(db);
  for (const { what, count, example } of records) print(`${count} × ${what}, such as ${example}`);
  const { missing, stray } = await compareImageFiles(db, join(config.data, 'uploads'));
  if (missing) print(`${missing.count} × missing image file, such as ${missing.example}`);
  if (stray) print(`${stray.count} × file that belongs to no image (harmless), such as ${stray.example}`);
  const isWhole = records.length === 0 && !missing;
  if (isWhole) print('All records are complete.');
  return isWhole;
}
