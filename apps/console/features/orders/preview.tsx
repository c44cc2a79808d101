import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ChangedOrder, FullOrder } from '../../../../packages/client/src/marquee-client.ts';
import { isProblem } from '../../../client/problem.ts';
import { useAction } from '../../data/actions.ts';
import { queries, read, refresh } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { FormProblem, RowsLoading } from '../../ui/states.tsx';
import { t } from './routes.ts';

interface PreviewProps {
  order: FullOrder;
  title: string;
  /** Label of the button. */
  verb: string;
  /** Key of the preview: actions whose previews differ need different ones. */
  name: string;
  isFinal: boolean;
  /** Previews the action, or runs it on the previewed revision of the order. */
  act: (options: { dry_run: boolean; revision: number }) => Promise<ChangedOrder>;
  onDone: (order: ChangedOrder) => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks before an action, with the server's preview of what it would do. */
export function Preview({ order, title, verb, name, isFinal, act, onDone, onClose, children }: PreviewProps) {
  const { id, revision = 0 } = order;
  const preview = useQuery({
    queryKey: ['preview', id, name, revision],
    queryFn: () => act({ dry_run: true, revision }),
    staleTime: 0,
    gcTime: 0,
  });
  const run = useAction(() => act({ dry_run: false, revision }), {
    onSuccess: (changed) => {
      queries.setQueryData(read('GET /admin/v1/orders/{id}', { id }).queryKey, changed);
      void refresh('/admin/v1/');
      onDone(changed);
    },
    // Preview the current order.
    onError: (error) => isProblem(error, 'edit-conflict') && refresh('/admin/v1/orders'),
  });
  const failed = run.error ?? preview.error ?? undefined;
  return (
    <DialogBox
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('leave')}</Button>
          <Button
            look={isFinal ? 'bad' : 'primary'}
            isDisabled={!preview.data}
            isPending={run.isPending}
            onPress={() => run.run()}
          >
            {verb}
          </Button>
        </>
      }
    >
      <FormProblem error={failed} />
      {preview.data && <Consequences changed={preview.data} />}
      {preview.isPending && <RowsLoading rows={2} />}
      {isFinal && <p className="soft">{t('preview.final')}</p>}
      {children}
    </DialogBox>
  );
}

/** Consequences of an action, in numbers. */
function Consequences({ changed: { changes } }: { changed: ChangedOrder }) {
  const { archived, restored, notices } = changes;
  const lines = [
    ...notices,
    ...(archived.length > 0 ? [t('preview.archived', { count: archived.length })] : []),
    ...(restored.length > 0 ? [t('preview.restored', { count: restored.length })] : []),
  ];
  return (
    <ul className="consequences">
      {(lines.length > 0 ? lines : [t('preview.nothing')]).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
