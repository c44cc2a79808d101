import type { LookupContext } from '../../http/endpoint.ts';
import { readLanguage } from '../translations/rules.ts';
import { findTermByReference } from './names.ts';
import type { Taxonomy } from './store.ts';

/** Terms that a filter may name: each costs a look-up. */
export const MAX_TERMS = 200;

/** The ids of the terms that a filter names by id, slug or name; refuses those that are not there. */
export async function findTermIds(
  taxonomy: Taxonomy,
  { name, references }: { name: string; references: readonly string[] },
  { ctx, addProblem }: LookupContext,
): Promise<number[]> {
  const found: number[] = [];
  for (const reference of new Set(references)) {
    const term = await findTermByReference(ctx.context.db, { taxonomy, language: readLanguage(ctx) }, reference);
    if (term) found.push(term.id);
    else addProblem(name, { key: 'param.term_unknown' });
  }
  return found;
}
