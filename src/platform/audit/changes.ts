import type { AuditAction } from '../../db/tables/platform.ts';
import type { Snapshot, Values } from './kind.ts';

/** Why the log has no values for a field: personal data, a secret, or too long. */
type Hidden = 'personal' | 'secret' | 'long';

/** A changed field. `before` is absent if the field was empty, `after` if it is empty now. */
export interface Change {
  field: string;
  /** Absent for texts in the first language. */
  language?: string;
  before?: unknown;
  after?: unknown;
  hidden?: Hidden;
  /** Set if the texts are longer than the log stores. */
  shortened?: true;
}

/** Maximum characters of a text, or of the JSON of another value. */
const MAX_LENGTH = 20_000;

/** The changed fields; for a created or deleted record, its non-empty fields. */
export function changesBetween(before: Snapshot | undefined, after: Snapshot | undefined): Change[] {
  const languages = new Set([before, after].flatMap((side) => Object.keys(side?.texts ?? {})));
  return [
    ...differences(before?.fields, after?.fields),
    ...[...languages].flatMap((language) =>
      differences(before?.texts?.[language], after?.texts?.[language]).map((change) => ({ ...change, language })),
    ),
    ...hiddenDifferences('personal', before, after),
    ...hiddenDifferences('secret', before, after),
  ];
}

const hiddenDifferences = (hidden: 'personal' | 'secret', before?: Snapshot, after?: Snapshot): Change[] =>
  differences(before?.[hidden], after?.[hidden]).map(({ field }) => ({ field, hidden }));

function differences(before: Values = {}, after: Values = {}): Change[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((field) => {
    const sides = { before: filled(before[field]), after: filled(after[field]) };
    return isSame(sides) ? [] : [bounded({ field, ...sides })];
  });
}

/** A flag that is not set is omitted for created and deleted records. */
const isSame = ({ before, after }: Pick<Change, 'before' | 'after'>): boolean =>
  JSON.stringify(before) === JSON.stringify(after) ||
  ((before === undefined || after === undefined) && (before ?? after) === false);

/** Treats empty texts and empty lists as absent. */
function filled(value: unknown): unknown {
  if (value === null || value === '') return undefined;
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

function bounded({ field, before, after }: Change): Change {
  const values = [before, after];
  if (values.every((value) => lengthOf(value) <= MAX_LENGTH)) return { field, before, after };
  if (!values.every((value) => value === undefined || typeof value === 'string')) return { field, hidden: 'long' };
  const cut = (text: unknown) => (typeof text === 'string' ? text.slice(0, MAX_LENGTH) : undefined);
  return { field, before: cut(before), after: cut(after), shortened: true };
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0);

/** The action that turned one snapshot into the other. */
export function actionOf(before: Snapshot | undefined, after: Snapshot | undefined): AuditAction {
  if (!before) return 'created';
  if (!after) return 'deleted';
  const [was, is] = [before.fields.status, after.fields.status];
  if (was === is) return 'changed';
  if (is === 'trash') return 'trashed';
  if (was === 'trash') return 'restored';
  return is === 'publish' ? 'published' : 'changed';
}
