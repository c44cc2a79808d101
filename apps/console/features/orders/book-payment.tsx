import { useState } from 'react';
import type { FullOrder } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { minorUnits, money } from '../../i18n/formats.ts';
import { TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useOrderAction } from './order-action.ts';
import { t } from './routes.ts';

/** Records money that was received offline; by default all that is left to pay. */
export function BookPayment({ order, onClose }: { order: FullOrder; onClose: () => void }) {
  const { id, owed, currency, revision = 0 } = order;
  const [typed, setTyped] = useState('');
  const [reference, setReference] = useState('');
  const amount = minorUnits(typed, currency);
  const isWrong = amount === null || amount === 0;
  const sent = { id, ...(amount && { amount }), ...(reference && { reference }) };
  const book = useOrderAction(id, () => call('POST /admin/v1/orders/{id}/payments', sent, { revision }), {
    onDone: () => {
      onClose();
      toast(t('book.done'));
    },
  });
  return (
    <FormDialog
      title={t('book')}
      action={t('book.act')}
      cancel={t('leave')}
      isPending={book.isPending}
      isDisabled={isWrong}
      onSubmit={() => book.run()}
      onClose={onClose}
    >
      <FormProblem error={book.error} fields={['amount', 'reference']} />
      <TextField
        label={t('refund.amount', { currency })}
        value={typed}
        onChange={setTyped}
        inputMode="decimal"
        maxLength={15}
        hint={t('book.all', { sum: money(-owed.minor, currency) })}
        problem={isWrong ? t('amount.wrong') : fieldProblems(book.error).amount}
      />
      <TextField
        label={t('reference')}
        value={reference}
        onChange={setReference}
        maxLength={200}
        hint={t('reference.hint')}
      />
    </FormDialog>
  );
}
