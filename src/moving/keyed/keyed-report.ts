import { countLines, sentenceOf } from '../report.ts';
import type { KeyedImportResult, LineFinding } from './keyed-import.ts';
import type { KeyedRecord } from './keyed-record.ts';

/** Reports of imports of files, by line. */

const lineOf = ({ line, code, detail }: LineFinding): string =>
  `  ${line === 0 ? '' : `line ${line} `}${sentenceOf(code)}${detail === '' ? '' : `: ${detail}`}`;

/** A line of the plan: action, kind, line of the file, title, and fields. */
export const plannedLine = ({ kind, line, title }: KeyedRecord, action: string, details: readonly string[]): string =>
  [action.padEnd(8), kind.padEnd(9), `line ${line}`.padStart(11), title.slice(0, 60).padEnd(30), details.join(', ')]
    .join('  ')
    .trimEnd();

/** The last lines of a report. */
export function resultLines({ counts, findings, gone }: KeyedImportResult): string[] {
  return [
    ...(findings.length > 0 ? ['To check:', ...findings.map(lineOf)] : []),
    ...countLines(counts),
    ...[...gone].map(([kind, count]) => `No longer in the source, and kept here: ${count} ${kind}.`),
  ];
}
