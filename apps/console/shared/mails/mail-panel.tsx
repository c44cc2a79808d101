import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FullMail } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { useRight } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { read, refresh } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Failure, FormProblem, RowsLoading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { MailFrame } from './mail-frame.tsx';
import { t } from './mails.ts';

/** One mail with its text as it would be sent now. */
export function MailPanel({ id, onClose }: { id: number; onClose: () => void }) {
  const [isSending, setSending] = useState(false);
  const { data: mail, error } = useQuery({ ...read('GET /admin/v1/mails/{id}', { id }), staleTime: 0 });
  const isOutdated = mail?.subject === null;
  return (
    <DialogBox
      title={mail ? (mail.subject ?? t(`kind.${mail.kind}`)) : t('title')}
      onClose={onClose}
      isPanel
      actions={mail && !isOutdated && <Button onPress={() => setSending(true)}>{t('again')}</Button>}
    >
      {error && <Failure error={error} />}
      {!mail && !error && <RowsLoading rows={3} />}
      {mail && <Facts mail={mail} />}
      {isOutdated && <p className="notice info">{t('outdated')}</p>}
      {mail?.account !== undefined && mail.account !== 0 && <p className="soft">{t('no_links')}</p>}
      {mail?.html && <MailFrame html={mail.html} label={t('preview')} />}
      {mail?.text && (
        <details>
          <summary>{t('text')}</summary>
          <pre className="mail-text">{mail.text}</pre>
        </details>
      )}
      {mail && isSending && <SendAgain mail={mail} onClose={() => setSending(false)} />}
    </DialogBox>
  );
}

function Facts({ mail: { to, kind, status, reply, sent_utc, created_utc, attempts, message_id } }: { mail: FullMail }) {
  const facts: [string, string][] = [
    [t('kind'), t(`kind.${kind}`)],
    [t('to'), to],
    [t('status'), t(`status.${status}`)],
    ...(reply === '' ? [] : [[t('reply'), reply] as [string, string]]),
    [t('written'), when.ago(created_utc)],
    ...(sent_utc ? [[t('sent'), when.ago(sent_utc)] as [string, string]] : []),
    ...(attempts > 1 ? [[t('attempts'), String(attempts)] as [string, string]] : []),
    ...(message_id === '' ? [] : [['Message-ID', message_id] as [string, string]]),
  ];
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="mail-reply">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Sends a mail again, also to another address. A mail to an account goes to the address of the account only. */
function SendAgain({ mail: { id, to, send_to, account }, onClose }: { mail: FullMail; onClose: () => void }) {
  const [address, setAddress] = useState(send_to ?? to);
  const isToAccount = account !== 0;
  const mayName = useRight('manage_attendees') && !isToAccount;
  const hintOfOther = mayName ? 'to.hint' : 'to.fixed';
  const hint = isToAccount ? 'to.account' : hintOfOther;
  const send = useAction(() => call('POST /admin/v1/mails/{id}/send', { id, ...(mayName && { to: address }) }), {
    onSuccess: () => {
      toast(t('queued'));
      onClose();
    },
    onSettled: () => refresh('/admin/v1/'),
  });
  return (
    <FormDialog
      title={t('again')}
      action={t('act')}
      cancel={t('leave')}
      isPending={send.isPending}
      isDisabled={address.trim() === ''}
      onSubmit={() => send.run()}
      onClose={onClose}
    >
      <FormProblem error={send.error} fields={['to']} />
      <TextField
        label={t('to')}
        type="email"
        value={address}
        onChange={setAddress}
        maxLength={254}
        isReadOnly={!mayName}
        hint={t(hint)}
        problem={fieldProblems(send.error).to}
      />
    </FormDialog>
  );
}
