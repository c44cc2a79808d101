import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FullOrder, Mail } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { useRight } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { MANAGES_ATTENDEES } from '../../data/rights.ts';
import { when } from '../../i18n/formats.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { useMoneyAction } from './order-action.ts';
import { t } from './routes.ts';

/** Number of shown mails; few orders have more. */
const MOST = 20;

/** Mails to the customer of an order, and what became of them. */
export function Mails({ order }: { order: FullOrder }) {
  return useRight(...MANAGES_ATTENDEES) ? <OwnMails order={order} /> : null;
}

function OwnMails({ order: { id } }: { order: FullOrder }) {
  const { data } = useQuery({ ...read('GET /admin/v1/mails', { order: id, per_page: MOST }), staleTime: 0 });
  const [again, setAgain] = useState<Mail>();
  if (!data || data.mails.length === 0) return null;
  return (
    <section className="form-section" aria-labelledby="mails">
      <h2 id="mails">{t('mails')}</h2>
      <ol className="money-list">
        {data.mails.map((mail) => (
          <li key={mail.id}>
            <p className="order-line">
              <span>{t(`mail.${mail.kind}`)}</span>
              <span>{t(`mail.${mail.status}`)}</span>
            </p>
            <p className="soft">{`${mail.to} · ${when.time(mail.sent_utc ?? mail.created_utc)}`}</p>
            {mail.status !== 'sent' && mail.reply !== '' && <p className="soft">{mail.reply}</p>}
            <div className="actions">
              <Button onPress={() => setAgain(mail)} aria-label={t('mail.again_of', { kind: t(`mail.${mail.kind}`) })}>
                {t('mail.again')}
              </Button>
            </div>
          </li>
        ))}
      </ol>
      {again && <SendAgain mail={again} onClose={() => setAgain(undefined)} />}
    </section>
  );
}

function SendAgain({ mail: { id, to }, onClose }: { mail: Mail; onClose: () => void }) {
  const [address, setAddress] = useState(to);
  const send = useMoneyAction(
    () => call('POST /admin/v1/mails/{id}/send', { id, to: address }).then(onClose),
    t('mail.queued_again'),
  );
  return (
    <FormDialog
      title={t('mail.again')}
      action={t('mail.act')}
      cancel={t('leave')}
      isPending={send.isPending}
      isDisabled={address.trim() === ''}
      onSubmit={() => send.run()}
      onClose={onClose}
    >
      <FormProblem error={send.error} fields={['to']} />
      <TextField
        label={t('mail.to')}
        type="email"
        value={address}
        onChange={setAddress}
        maxLength={254}
        hint={t('mail.to_hint')}
        problem={fieldProblems(send.error).to}
      />
    </FormDialog>
  );
}
