import { useQuery } from '@tanstack/react-query';
import { read } from '../../data/queries.ts';
import { DuplicatesNotice } from '../../shared/merging/merge-notices.tsx';
import type { TermActs } from './acts.tsx';
import { readTree } from './reads.ts';
import type { Taxonomy } from './terms.ts';
import { placeOf } from './tree.ts';

/** Terms of the same name, for who may merge them. */
export function ProbableDuplicates({ taxonomy, acts }: { taxonomy: Taxonomy; acts: TermActs }) {
  const { data } = useQuery(read(`GET /admin/v1/${taxonomy}/duplicates`, {}, { isOn: acts.mayWrite }));
  const { data: tree } = useQuery(readTree(taxonomy === 'categories'));
  return (
    <DuplicatesNotice
      pairs={data?.duplicates ?? []}
      detailOf={({ id, slug }) => [placeOf(id, tree?.rows ?? []), slug].filter(Boolean).join(' · ')}
      onCompare={(ids) => acts.start({ kind: 'merge', ids })}
    />
  );
}
