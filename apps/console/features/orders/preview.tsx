import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ChangedOrder, FullOrder } from '../../../../packages/client/src/marquee-client.ts';
import { isProblem } from '../../../client/problem.ts';
import { queries, read, refresh } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { FormProblem, RowsLoading } from '../../ui/states.tsx';
import { t } from './routes.ts';

interface PreviewProps {
  order: FullOrder;
  title: string;
  /** The verb of the button. */
  verb: string;
  /** Distinguishes acts whose previews differ. */
  name: string;
  isFinal: boolean;
  /** Previews the act, or does it to the order as it was previewed. */
  act: (options: { dry_run: boolean; revision: number }) => Promise<ChangedOrder>;
  onDone: (order: ChangedOrder) => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Says what an act would do, by the server's own preview, before it is done. */
export function Preview({ order, title, verb, name, isFinal, act, onDone, onClose, children }: PreviewProps) {
  const { id, revision = 0 } = order;
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const preview = useQuery({
    queryKey: ['preview', id, name, revision],
    queryFn: () => act({ dry_run: true, revision }),
    staleTime: 0,
    gcTime: 0,
  });
  const run = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const changed = await act({ dry_run: false, revision });
      queries.setQueryData(read('GET /admin/v1/orders/{id}', { id }).queryKey, changed);
      void refresh('/admin/v1/');
      onDone(changed);
    } catch (error) {
      setProblem(error);
      // Shows what the act would do now.
      if (isProblem(error, 'edit-conflict')) await refresh('/admin/v1/orders');
    } finally {
      setBusy(false);
    }
  };
  const failed = problem ?? preview.error;
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
            isPending={isBusy}
            onPress={() => void run()}
          >
            {verb}
          </Button>
        </>
      }
    >
      {failed !== undefined && failed !== null && <FormProblem error={failed} />}
      {preview.data && <Consequences changed={preview.data} />}
      {preview.isPending && <RowsLoading rows={2} />}
      {isFinal && <p className="soft">{t('preview.final')}</p>}
      {children}
    </DialogBox>
  );
}

/** What an act does, in numbers. */
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
