import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Input, MailPreview } from '../../../../../packages/client/src/marquee-client.ts';
import { WORDED_MAIL_KINDS } from '../../../../../src/lib/mail-kinds.ts';
import { call } from '../../../../client/call.ts';
import { fieldProblems } from '../../../../client/problem.ts';
import { useSite } from '../../../data/account.ts';
import { useAction } from '../../../data/actions.ts';
import { read, refresh } from '../../../data/queries.ts';
import { languageName } from '../../../i18n/formats.ts';
import { t as nameOf } from '../../../shared/mails/mails.ts';
import { EventPicker } from '../../../shared/pickers/record-picker.tsx';
import { Button } from '../../../ui/button.tsx';
import { SelectField, Switch, TextField } from '../../../ui/fields.tsx';
import { Failure, FormProblem, RowsLoading } from '../../../ui/states.tsx';
import { toast, toastProblem } from '../../../ui/toast.tsx';
import { t } from '../routes.ts';
import { SettingsPage } from '../settings-page.tsx';

type Kind = Input<'PUT /admin/v1/mail-texts'>['kind'];

/** Placeholders of all kinds. */
const WORDS = '{event}, {date}, {venue}, {name}, {site}';

/** Texts of mails for the site or an event, and whether it reminds of events. */
export function Screen() {
  const { languages } = useSite();
  const [kind, setKind] = useState<Kind>('tickets');
  const [language, setLanguage] = useState(languages[0] ?? 'en');
  const [event, setEvent] = useState<number>();
  const about = { kind, language, ...(event !== undefined && { event }) };
  const { data, error, refetch } = useQuery({ ...read('GET /admin/v1/mail-texts', about), staleTime: 0 });
  return (
    <SettingsPage name="mails">
      <div className="column">
        <Reminders />
        <section className="form-section" aria-labelledby="mail-texts">
          <h2 id="mail-texts">{t('mails.texts')}</h2>
          <p className="soft">{t('mails.texts.hint')}</p>
          <SelectField
            label={t('mails.kind')}
            value={kind}
            onChange={setKind}
            choices={WORDED_MAIL_KINDS.map((value) => ({ value, label: nameOf(`kind.${value}`) }))}
          />
          {languages.length > 1 && (
            <SelectField
              label={t('mails.language')}
              value={language}
              onChange={setLanguage}
              choices={languages.map((value) => ({ value, label: languageName(value) }))}
            />
          )}
          <EventPicker label={t('mails.event')} value={event} onChange={setEvent} />
          {error && <Failure error={error} onRetry={() => void refetch()} />}
          {!data && !error && <RowsLoading rows={3} />}
          {data && (
            <TextForm key={JSON.stringify([about, data.mail_texts[0]?.id])} about={about} stored={data.mail_texts[0]} />
          )}
        </section>
      </div>
    </SettingsPage>
  );
}

/** Mail whose texts are edited. */
interface About {
  kind: Kind;
  language: string;
  event?: number;
}

const refreshTexts = () => refresh('/admin/v1/mail-texts');

interface TextFormProps {
  about: About;
  stored: { id: number; subject: string; introduction: string } | undefined;
}

function TextForm({ about, stored }: TextFormProps) {
  const [subject, setSubject] = useState(stored?.subject ?? '');
  const [introduction, setIntroduction] = useState(stored?.introduction ?? '');
  const texts = {
    subject: subject.trim() === '' ? null : subject,
    introduction: introduction.trim() === '' ? null : introduction,
  };
  const input = { ...about, ...texts };
  const [shown, setShown] = useState<MailPreview>();
  const look = useAction(() => call('POST /admin/v1/mail-preview', input), { onSuccess: setShown });
  const save = useAction(() => call('PUT /admin/v1/mail-texts', input), {
    onSuccess: async () => {
      toast(t('mails.saved'));
      await refreshTexts();
    },
  });
  const problems = fieldProblems(save.error ?? look.error);
  const isEmpty = texts.subject === null && texts.introduction === null;
  return (
    <>
      <FormProblem error={save.error ?? look.error} fields={['subject', 'introduction']} />
      <TextField
        label={t('mails.subject')}
        value={subject}
        onChange={setSubject}
        hint={t('mails.usual')}
        problem={problems.subject}
        maxLength={200}
      />
      <TextField
        label={t('mails.introduction')}
        value={introduction}
        onChange={setIntroduction}
        hint={t('mails.placeholders', { words: WORDS, order: '{order}' })}
        problem={problems.introduction}
        rows={5}
        maxLength={2000}
      />
      <div className="actions">
        <Button look="primary" isPending={save.isPending} isDisabled={isEmpty} onPress={() => save.run()}>
          {t('mails.save')}
        </Button>
        <Button isPending={look.isPending} onPress={() => look.run()}>
          {t('mails.look')}
        </Button>
        <TestButton about={about} />
        {stored && <RemoveButton id={stored.id} />}
      </div>
      {shown && (
        <section className="mail-sample" aria-labelledby="mail-sample">
          <h3 id="mail-sample">{shown.subject}</h3>
          <p className="mail-sample-text">{shown.text}</p>
        </section>
      )}
    </>
  );
}

/** Sends the mail, as it is stored, to the user. */
function TestButton({ about }: { about: About }) {
  const test = useAction(() => call('POST /admin/v1/mail-preview', { ...about, send: true }), {
    onSuccess: ({ sent_to }) =>
      sent_to === null ? toast(t('mails.no_address'), { tone: 'bad' }) : toast(t('mails.tested', { address: sent_to })),
    onError: toastProblem,
  });
  return (
    <Button isPending={test.isPending} onPress={() => test.run()}>
      {t('mails.test')}
    </Button>
  );
}

/** Restores the default texts. */
function RemoveButton({ id }: { id: number }) {
  const remove = useAction(() => call('DELETE /admin/v1/mail-texts/{id}', { id }), {
    onSuccess: async () => {
      toast(t('mails.removed'));
      await refreshTexts();
    },
    onError: toastProblem,
  });
  return (
    <Button isPending={remove.isPending} onPress={() => remove.run()}>
      {t('mails.remove')}
    </Button>
  );
}

function Reminders() {
  const { data } = useQuery(read('GET /admin/v1/site', {}));
  const choose = useAction((sends_reminders: boolean) => call('PATCH /admin/v1/site', { sends_reminders }), {
    onSuccess: () => refresh('/admin/v1/site'),
    onError: toastProblem,
  });
  return (
    <section className="form-section" aria-labelledby="reminders">
      <h2 id="reminders">{t('mails.reminders')}</h2>
      <Switch isSelected={data?.sends_reminders ?? false} isDisabled={!data} onChange={(isOn) => choose.run(isOn)}>
        {t('mails.reminders.switch')}
      </Switch>
      <p className="hint">{t('mails.reminders.hint')}</p>
    </section>
  );
}
