import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRight } from '../frame/account.ts';
import { read } from '../frame/queries.ts';
import { DuplicatesNotice } from '../parts/duplicates.tsx';
import type { Kind } from './kinds.ts';
import { MergeLinkedPosts } from './merge.tsx';

/** Records that are probably the same, for who may merge them. */
export function ProbableDuplicates({ kind }: { kind: Kind }) {
  const isOn = useRight('edit_others');
  const [compared, setCompared] = useState<readonly number[]>();
  const { data } = useQuery(
    read(`GET /admin/v1/${kind}/duplicates` as 'GET /admin/v1/venues/duplicates', {}, { isOn }),
  );
  return (
    <>
      <DuplicatesNotice pairs={data?.duplicates ?? []} detailOf={({ slug }) => slug} onCompare={setCompared} />
      {compared && <MergeLinkedPosts kind={kind} ids={compared} onClose={() => setCompared(undefined)} />}
    </>
  );
}
