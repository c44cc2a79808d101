import type { ReactNode } from 'react';
import type { Site } from '../../../../packages/client/src/marquee-client.ts';
import type { Fields } from '../../../client/merge.ts';
import { ConflictDialog } from '../../shared/record/conflict-dialog.tsx';
import { UnsavedBar } from '../../shared/record/unsaved-bar.tsx';
import { type EditedRecord, type RecordKind, useRecord } from '../../shared/record/use-record.ts';
import { Failure, RowsLoading } from '../../ui/states.tsx';
import { SITE } from './site-kinds.ts';

export type EditedSite<F> = EditedRecord<Site, F>;

interface SiteFormProps<F extends Fields> {
  kind: RecordKind<Site, F>;
  labelOf: (name: string) => string;
  /** A value of a field as people read it, where two people have changed it; needed for those that are not texts. */
  show?: (name: string, value: unknown) => string;
  children: (edited: EditedSite<F>) => ReactNode;
}

/** A form of some settings of the site. */
export function SiteForm<F extends Fields>({ kind, labelOf, show, children }: SiteFormProps<F>) {
  const { data, error, retry } = useRecord(kind, SITE);
  if (error) return <Failure error={error} onRetry={retry} />;
  if (!data) return <RowsLoading rows={4} />;
  return (
    <>
      {children(data)}
      <UnsavedBar edited={data} />
      <ConflictDialog edited={data} labelOf={labelOf} {...(show && { show })} />
    </>
  );
}

/** A part of an object of the interface as a field of its own: it has the problem of the object if it was changed. */
export function partOf<F extends Fields, K extends keyof F & string>(edited: EditedSite<F>, name: K, whole: string) {
  const problem = edited.changed.includes(name) ? edited.problem?.fields[whole] : undefined;
  return { ...edited.field(name), problem };
}
