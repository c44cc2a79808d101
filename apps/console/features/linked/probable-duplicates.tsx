import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../data/queries.ts';
import { DuplicatesNotice } from '../../shared/merging/duplicates.tsx';
import type { Kind } from './kinds.ts';
import { MergeLinked } from './merge-linked.tsx';

/** Records that are probably the same, and a way to merge them. */
export function ProbableDuplicates({ kind }: { kind: Kind }) {
  const { data } = useQuery(read(`GET /admin/v1/${kind}/duplicates`));
  const [compared, setCompared] = useState<readonly number[]>();
  const end = () => setCompared(undefined);
  return (
    <>
      <DuplicatesNotice pairs={data?.duplicates ?? []} detailOf={({ slug }) => slug} onCompare={setCompared} />
      {compared && <MergeLinked kind={kind} ids={compared} onMerged={end} onClose={end} />}
    </>
  );
}
