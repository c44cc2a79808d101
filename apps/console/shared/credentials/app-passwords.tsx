import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { NewApplicationPassword } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { read, refresh } from '../../data/queries.ts';
import { t as frameText } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Secret } from '../../ui/secret.tsx';
import { describe, Failure, FormProblem, RowsLoading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { CredentialLine } from './credential-line.tsx';
import { t } from './credentials.ts';

/** Passwords of an account for single programs. */
export function AppPasswords({ userId }: { userId: number }) {
  const list = useQuery(read('GET /admin/v1/users/{id}/application-passwords', { id: userId }));
  const [isNew, setNew] = useState(false);
  const revoke = async (id: number) => {
    try {
      await call('DELETE /admin/v1/users/{id}/application-passwords/{password_id}', { id: userId, password_id: id });
      toast(t('revoked'));
      await refresh('/admin/v1/users');
    } catch (error) {
      toast(describe(error), { tone: 'bad' });
    }
  };
  const rows = list.data?.application_passwords;
  return (
    <section aria-labelledby="app-passwords">
      <h2 id="app-passwords">{t('passwords')}</h2>
      <p className="soft">{t('passwords.text')}</p>
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {!rows && !list.error && <RowsLoading rows={2} />}
      {rows && rows.length > 0 && (
        <ul className="cards">
          {rows.map((row) => (
            <CredentialLine key={row.id} credential={row} onRevoke={() => revoke(row.id)} />
          ))}
        </ul>
      )}
      <div>
        <Button icon="plus" onPress={() => setNew(true)}>
          {t('passwords.new')}
        </Button>
      </div>
      {isNew && <NewPassword userId={userId} onClose={() => setNew(false)} />}
    </section>
  );
}

function NewPassword({ userId, onClose }: { userId: number; onClose: () => void }) {
  const form = useId();
  const [made, setMade] = useState<NewApplicationPassword>();
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('program') ?? '');
    try {
      setMade(await call('POST /admin/v1/users/{id}/application-passwords', { id: userId, name }));
      await refresh('/admin/v1/users');
    } catch (caught) {
      setError(caught);
    }
  };
  if (made)
    return (
      <DialogBox title={t('passwords.new')} role="alertdialog" actions={<Done onPress={onClose} />}>
        <p>{t('shown_once')}</p>
        <Secret label={made.name} value={made.password} />
      </DialogBox>
    );
  const problem = isProblem(error) ? error.fields.name : undefined;
  return (
    <DialogBox
      title={t('passwords.new')}
      onClose={onClose}
      actions={
        <Button type="submit" form={form} look="primary">
          {t('make')}
        </Button>
      }
    >
      <Form id={form} className="form" onSubmit={(event) => void submit(event)}>
        {error !== undefined && problem === undefined && <FormProblem error={error} />}
        <TextField
          name="program"
          label={t('program')}
          hint={t('program.hint')}
          problem={problem}
          isRequired
          autoFocus
        />
      </Form>
    </DialogBox>
  );
}

/** Closes what shows a secret. */
export const Done = ({ onPress }: { onPress: () => void }) => (
  <Button look="primary" onPress={onPress}>
    {frameText('close')}
  </Button>
);
