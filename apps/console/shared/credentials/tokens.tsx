import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { NewToken } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { read, refresh } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { Switch, TextField } from '../../ui/fields.tsx';
import { Secret } from '../../ui/secret.tsx';
import { describe, Failure, FormProblem, RowsLoading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { Done } from './app-passwords.tsx';
import { CredentialLine } from './credential-line.tsx';
import { t } from './credentials.ts';

const PER_PAGE = 50;

/** Tokens of an account for single programs. */
export function Tokens({ userId }: { userId: number }) {
  const list = useQuery(read('GET /admin/v1/tokens', { user_id: userId, per_page: PER_PAGE }));
  const [isNew, setNew] = useState(false);
  const revoke = async (id: number) => {
    try {
      await call('DELETE /admin/v1/tokens/{id}', { id });
      toast(t('revoked'));
      await refresh('/admin/v1/tokens');
    } catch (error) {
      toast(describe(error), { tone: 'bad' });
    }
  };
  const rows = list.data?.tokens;
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens">{t('tokens')}</h2>
      <p className="soft">{t('tokens.text')}</p>
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
          {t('tokens.new')}
        </Button>
      </div>
      {isNew && <TokenDialog userId={userId} onClose={() => setNew(false)} />}
    </section>
  );
}

const SCOPES = ['read', 'events:write', 'tickets:write', 'checkin', 'admin'] as const;

function TokenDialog({ userId, onClose }: { userId: number; onClose: () => void }) {
  const form = useId();
  const [made, setMade] = useState<NewToken>();
  const [error, setError] = useState<unknown>();
  const [scopes, setScopes] = useState<readonly (typeof SCOPES)[number][]>(['read']);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    const [name = '', expires = ''] = ['program', 'expires'].map((key) => String(sent.get(key) ?? ''));
    try {
      const input = { name, scopes: [...scopes], user_id: userId, ...(expires && { expires }) };
      setMade(await call('POST /admin/v1/tokens', input));
      await refresh('/admin/v1/tokens');
    } catch (caught) {
      setError(caught);
    }
  };
  if (made)
    return (
      <DialogBox title={t('tokens.new')} role="alertdialog" actions={<Done onPress={onClose} />}>
        <p>{t('shown_once')}</p>
        <Secret label={made.name} value={made.token} />
      </DialogBox>
    );
  const fields = isProblem(error) ? error.fields : {};
  return (
    <DialogBox
      title={t('tokens.new')}
      onClose={onClose}
      actions={
        <Button type="submit" form={form} look="primary" isDisabled={scopes.length === 0}>
          {t('make')}
        </Button>
      }
    >
      <Form id={form} className="form" onSubmit={(event) => void submit(event)}>
        {error !== undefined && fields.name === undefined && fields.expires === undefined && (
          <FormProblem error={error} />
        )}
        <TextField
          name="program"
          label={t('program')}
          hint={t('program.hint')}
          problem={fields.name}
          isRequired
          autoFocus
        />
        <fieldset className="choices">
          <legend className="label">{t('scopes')}</legend>
          {SCOPES.map((scope) => (
            <Switch
              key={scope}
              isSelected={scopes.includes(scope)}
              onChange={(isOn) => setScopes(SCOPES.filter((one) => (one === scope ? isOn : scopes.includes(one))))}
            >
              {t(`scope.${scope}`)}
            </Switch>
          ))}
        </fieldset>
        <TextField name="expires" type="date" label={t('until')} hint={t('until.hint')} problem={fields.expires} />
      </Form>
    </DialogBox>
  );
}
