import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ChangedOrder, FullOrder } from '../../../../packages/client/src/marquee-client.ts';
import { isProblem } from '../../../client/problem.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { FormProblem, RowsLoading } from '../../ui/states.tsx';
import { EndPayment } from './end-payment.tsx';
import { useOrderAction } from './order-action.ts';
import { t } from './routes.ts';

interface PreviewProps {
  order: FullOrder;
  title: string;
  /** Label of the button. */
  verb: string;
  /** Key of the preview: actions whose previews differ need different ones. */
  name: string;
  isFinal: boolean;
  /** Whether the action is complete, so that it can be previewed and run. */
  isReady?: boolean;
  /** Previews the action, or runs it on the previewed revision of the order. */
  act: (options: { dry_run: boolean; revision: number }) => Promise<ChangedOrder>;
  onDone: (order: ChangedOrder) => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks before an action, with the server's preview of its consequences. */
export function Preview(props: PreviewProps) {
  const { order, title, verb, name, isFinal, isReady = true, act, onDone, onClose, children } = props;
  const { id, revision = 0 } = order;
  const preview = useQuery({
    queryKey: ['preview', id, name, revision],
    queryFn: () => act({ dry_run: true, revision }),
    enabled: isReady,
    staleTime: 0,
    gcTime: 0,
  });
  const run = useOrderAction(id, () => act({ dry_run: false, revision }), { onDone });
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
            isDisabled={!preview.data || !isReady}
            isPending={run.isPending}
            onPress={() => run.run()}
          >
            {verb}
          </Button>
        </>
      }
    >
      <FormProblem error={failed} />
      {isProblem(failed, 'payment-open') && <EndPayment id={id} />}
      {children}
      <div role="status">
        {isReady && preview.data && <Consequences changed={preview.data} />}
        {preview.isFetching && <RowsLoading rows={2} />}
      </div>
      {isFinal && <p className="soft">{t('preview.final')}</p>}
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
