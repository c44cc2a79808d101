import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnnouncementPreview, Input } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { useAction } from '../../data/actions.ts';
import { read, refresh } from '../../data/queries.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';

type Draft = Omit<Input<'POST /admin/v1/events/{id}/announcements'>, 'id' | 'dry_run'>;

const TICKET = 'ticket-';
const MOST_TICKETS = 100;

/** A choice of the list: an audience, or the holders of one ticket. */
const audienceOf = (choice: string): Pick<Draft, 'audience' | 'tickets'> =>
  choice.startsWith(TICKET)
    ? { audience: 'tickets', tickets: [Number(choice.slice(TICKET.length))] }
    : { audience: choice === 'not_checked_in' ? choice : 'all' };

/** Writes to the holders of an event's tickets, after a preview of the mail and the number of its recipients. */
export function WriteDialog({ event: id, onClose }: { event: number; onClose: () => void }) {
  const [subject, setSubject] = useState('');
  const [text, setText] = useState('');
  const [choice, setChoice] = useState('all');
  const [preview, setPreview] = useState<AnnouncementPreview>();
  const draft: Draft = { text, ...(subject.trim() !== '' && { subject }), ...audienceOf(choice) };
  const look = useAction(() => call('POST /admin/v1/events/{id}/announcements', { id, ...draft, dry_run: true }), {
    // A dry run returns a preview.
    onSuccess: (answer) => setPreview(answer as AnnouncementPreview),
  });
  const send = useAction(() => call('POST /admin/v1/events/{id}/announcements', { id, ...draft }), {
    onSuccess: async () => {
      onClose();
      toast(t('done', { count: preview?.recipients ?? 0 }));
      await refresh('/admin/v1/events/{id}/announcements');
    },
    onError: () => setPreview(undefined),
  });
  const problems = fieldProblems(send.error ?? look.error);
  if (preview)
    return (
      <Preview
        preview={preview}
        isPending={send.isPending}
        onSend={() => send.run()}
        onClose={() => setPreview(undefined)}
      />
    );
  return (
    <FormDialog
      title={t('write')}
      action={t('look')}
      isPending={look.isPending}
      onSubmit={() => look.run()}
      onClose={onClose}
    >
      <FormProblem error={send.error ?? look.error} fields={['subject', 'text', 'audience', 'tickets']} />
      <Audience event={id} value={choice} onChange={setChoice} problem={problems.tickets ?? problems.audience} />
      <TextField
        label={t('subject')}
        hint={t('subject.hint')}
        value={subject}
        onChange={setSubject}
        problem={problems.subject}
        maxLength={200}
      />
      <TextField
        label={t('text')}
        hint={t('text.hint')}
        value={text}
        onChange={setText}
        problem={problems.text}
        rows={8}
        maxLength={5000}
        isRequired
        autoFocus
      />
    </FormDialog>
  );
}

interface PreviewProps {
  preview: AnnouncementPreview;
  isPending: boolean;
  onSend: () => void;
  onClose: () => void;
}

function Preview({ preview: { recipients, subject, text }, isPending, onSend, onClose }: PreviewProps) {
  return (
    <FormDialog
      title={t('preview')}
      action={t('send', { count: recipients })}
      cancel={t('leave')}
      isPending={isPending}
      isDisabled={recipients === 0}
      onSubmit={onSend}
      onClose={onClose}
    >
      <p role="status">{recipients === 0 ? t('no_recipients') : t('would_reach', { count: recipients })}</p>
      <h3>{subject}</h3>
      <section className="mail-preview" aria-label={t('mail')}>
        {text}
      </section>
    </FormDialog>
  );
}

interface AudienceProps {
  event: number;
  value: string;
  onChange: (value: string) => void;
  problem: string | undefined;
}

function Audience({ event, ...field }: AudienceProps) {
  const { data } = useQuery(
    read('GET /tickets/v1/tickets', {
      include_post: [event],
      status: ['any'],
      post_status: ['any'],
      per_page: MOST_TICKETS,
    }),
  );
  const tickets = data?.tickets ?? [];
  const choices = [
    { value: 'all', label: t('audience.all') },
    { value: 'not_checked_in', label: t('audience.not_checked_in') },
    ...(tickets.length > 1
      ? tickets.map(({ id, title }) => ({
          value: `${TICKET}${id}`,
          label: t('audience.of', { ticket: String(title) }),
        }))
      : []),
  ];
  return <SelectField label={t('audience')} choices={choices} {...field} />;
}
