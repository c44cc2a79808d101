import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminAttendee, Attendee } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useRight } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { queries, read, refresh } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { ConflictDialog } from '../../shared/record/conflict-dialog.tsx';
import { UnsavedBar } from '../../shared/record/unsaved-bar.tsx';
import { type RecordKind, useRecord } from '../../shared/record/use-record.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { Switch, TextField } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Failure, RowsLoading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';

const fieldsOf = ({ title, email = '', optout }: Attendee) => ({
  full_name: title ?? '',
  email,
  optout: optout === true,
});
type AttendeeFields = ReturnType<typeof fieldsOf>;

const attendeeKind: RecordKind<Attendee, AttendeeFields> = {
  path: '/admin/v1/attendees',
  read: (id) => read('GET /tickets/v1/attendees/{id}', { id }),
  write: (id, patch, options) => call('PATCH /tickets/v1/attendees/{id}', { id, ...patch }, options),
  fieldsOf,
  isDraft: () => false,
};

const labelOf = (name: string): string => t(`field.${name as keyof AttendeeFields}`);

/** Panel of one attendee beside the list: personal data, ticket and check-ins. */
export function AttendeePanel({ id, onClose }: { id: number; onClose: () => void }) {
  const mayManage = useRight('manage_attendees');
  const { data, error, retry } = useRecord(attendeeKind, id);
  return (
    <DialogBox title={data ? (data.record.title ?? '') : t('attendee')} onClose={onClose} isPanel>
      {error !== undefined && error !== null && <Failure error={error} onRetry={retry} />}
      {!data && !error && <RowsLoading />}
      {data && !mayManage && (
        <p className="soft">
          {data.record.email}
          <br />
          {data.record.ticket?.title}
        </p>
      )}
      {data && mayManage && (
        <>
          <TextField label={labelOf('full_name')} {...data.field('full_name')} isRequired />
          <TextField label={labelOf('email')} {...data.field('email')} type="email" isRequired />
          <OptOut {...data.field('optout')} />
          <Answers record={data.record} />
          <UnsavedBar edited={data} />
          <ConflictDialog edited={data} labelOf={labelOf} />
          <TicketOf id={id} />
        </>
      )}
    </DialogBox>
  );
}

function OptOut({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) {
  return (
    <Switch isSelected={value} onChange={onChange}>
      {labelOf('optout')}
    </Switch>
  );
}

/** Answers to the registration questions. */
function Answers({ record: { information } }: { record: Attendee }) {
  const answers = Object.entries(information ?? {}).filter(([, value]) => typeof value === 'string');
  if (answers.length === 0) return null;
  return (
    <section>
      <h3>{t('answers')}</h3>
      <dl className="facts">
        {answers.map(([question, answer]) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>{String(answer)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The holder's ticket, and the log of check-ins. */
function TicketOf({ id }: { id: number }) {
  const { data, error } = useQuery(read('GET /admin/v1/attendees/{id}', { id }));
  if (error) return <Failure error={error} />;
  if (!data) return null;
  return (
    <>
      <Holder attendee={data} />
      <section>
        <h3>{t('door')}</h3>
        {data.check_ins.length === 0 && <p className="soft">{t('door.none')}</p>}
        <ul className="plain-list">
          {data.check_ins.map(({ action, date_utc, device, source }) => (
            <li key={`${date_utc} ${action}`}>
              {t(`door.${action}`)} <span className="soft">{when.ago(date_utc)}</span>{' '}
              <span className="soft">{device || t(source === 'app' ? 'door.scan' : 'door.desk')}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function Holder({ attendee: { id, security_code, content } }: { attendee: AdminAttendee }) {
  const { data } = useQuery(read('GET /tickets/v1/attendees/{id}/ticket', { id, security_code }));
  const [isAsking, setAsking] = useState(false);
  const url = data?.url;
  const copy = async () => {
    if (!url) return;
    await navigator.clipboard.writeText(url);
    toast(t('link.copied'));
  };
  const renew = useAction(() => call('POST /admin/v1/attendees/{id}/security-code', { id }), {
    onSuccess: async (renewed) => {
      queries.setQueryData(read('GET /admin/v1/attendees/{id}', { id }).queryKey, renewed);
      await refresh('/admin/v1/attendees');
      setAsking(false);
      toast(t('code.renewed'));
    },
  });
  return (
    <section className="holder">
      <h3>{t('ticket')}</h3>
      <QrCode text={content} label={t('code')} />
      <div className="actions">
        {url && (
          <>
            <a className="button" href={url} target="_blank" rel="noreferrer">
              <Icon name="open" />
              {t('link.open')}
            </a>
            <Button icon="link" onPress={() => void copy()}>
              {t('link.copy')}
            </Button>
          </>
        )}
        <Button icon="key" onPress={() => setAsking(true)}>
          {t('code.renew')}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          role="alertdialog"
          title={t('code.title')}
          action={t('code.renew')}
          cancel={t('code.keep')}
          isPending={renew.isPending}
          error={renew.error}
          onConfirm={renew.run}
          onClose={() => setAsking(false)}
        >
          <p>{t('code.text')}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
