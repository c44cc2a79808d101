import { join } from 'node:path';
import type { Context } from '../../base/context.ts';
import { findIncompleteRecords, findMissingCounters, restoreCounters } from '../../db/integrity.ts';
import { findWrongCounters, repairCounters } from '../../jobs/recount.ts';
import { compareImageFiles } from '../../platform/media/image-files.ts';
import { findBookErrors } from '../../ticketing/books/check-books.ts';
import { type Command, CommandError, command } from './command.ts';

/** Recounts stored counters, checks the books, and finds incomplete records, missing files and lost change counters. */
export const doctorCommand: Command = command({
  name: 'doctor',
  summary: 'Recounts all counters, checks the books, and reports what is inconsistent or incomplete.',
  words: [],
  options: { fix: { about: 'Corrects inconsistent counters, and counts changes again.' } },
  notes:
    'Exits with status 1 when records are incomplete or the books contradict themselves, or counters are inconsistent\n' +
    'and --fix is not given. On a busy site, stop the server before --fix.',
  async work({ context, options, print }) {
    const findings = options.fix ? await repairCounters(context.db) : await findWrongCounters(context.db);
    for (const { counter, id, stored, counted } of findings)
      print(`${counter} of ${id} is ${stored}, counted ${counted}`);
    if (findings.length === 0) print('All counters are consistent.');
    else if (options.fix) print(`Counters corrected: ${findings.length}.`);
    const lost = options.fix ? await restoreCounters(context.db) : await findMissingCounters(context.db);
    for (const part of lost) print(`changes of ${part} ${options.fix ? 'are counted again' : 'are not counted'}`);
    const isWhole = await printIncomplete(context, print);
    const errors = await findBookErrors(context.db);
    for (const { what, count, example } of errors) print(`${count} × ${what}, such as ${example}`);
    if (errors.length === 0) print('The books are consistent.');
    const problems = [
      ...(lost.length > 0 && !options.fix
        ? ['Without counts of changes nothing is cached. Run: marquee doctor --fix']
        : []),
      ...(findings.length > 0 && !options.fix
        ? [`Inconsistent counters: ${findings.length}. Run: marquee doctor --fix`]
        : []),
      ...(isWhole ? [] : ['Incomplete records and missing files can only be restored from a backup.']),
      ...(errors.length > 0
        ? ['The books contradict themselves. See docs/payments.md, "When the books do not agree".']
        : []),
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
