import { call } from '../../../client/call.ts';
import { useRight } from '../../data/account.ts';
import { MANAGES_ATTENDEES } from '../../data/rights.ts';
import { Button } from '../../ui/button.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { useMoneyAction } from './order-action.ts';
import { t } from './routes.ts';

/** Tells the payment service that an order is no longer to be paid there. */
export function EndPayment({ id }: { id: number }) {
  const mayEnd = useRight(...MANAGES_ATTENDEES);
  const end = useMoneyAction(() => call('POST /admin/v1/orders/{id}/payments/close', { id }), t('end.done'));
  if (!mayEnd) return null;
  return (
    <>
      <Button onPress={() => end.run()} isPending={end.isPending}>
        {t('end')}
      </Button>
      <FormProblem error={end.error} />
    </>
  );
}
