import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { useAction } from '../../data/actions.ts';
import { read, refresh } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { Button } from '../../ui/button.tsx';
import { SecretSheet } from '../../ui/dialog-box.tsx';
import { Switch, TextField } from '../../ui/fields.tsx';
import { type FieldValue, FormDialog } from '../../ui/form-dialog.tsx';
import { Secret } from '../../ui/secret.tsx';
import { Failure, FormProblem, RowsLoading } from '../../ui/states.tsx';
import { RemovalDialog } from '../record/removal-dialog.tsx';
import { t } from './credentials.ts';

/** Application passwords and tokens of an account. */
export function Credentials({ userId }: { userId: number }) {
  return (
    <>
      <AppPasswords userId={userId} />
      <Tokens userId={userId} />
    </>
  );
}

interface Credential {
  id: number;
  name: string;
  last_used_utc: string | null;
  expires_utc?: string | null;
  scopes?: readonly string[];
}

interface CredentialListProps {
  id: string;
  heading: string;
  text: string;
  /** Label of the button that creates one. */
  create: string;
  rows: readonly Credential[] | undefined;
  error: unknown;
  onRetry: () => void;
  revoke: (id: number) => Promise<unknown>;
  /** Path of the list, which is read again after a change. */
  path: string;
  /** The dialog that creates one. */
  dialog: (close: () => void) => ReactNode;
}

function CredentialList(props: CredentialListProps) {
  const { id, heading, text, create, rows, error, onRetry, revoke, path, dialog } = props;
  const [isCreating, setCreating] = useState(false);
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <p className="soft">{text}</p>
      {Boolean(error) && <Failure error={error} onRetry={onRetry} />}
      {!rows && !error && <RowsLoading rows={2} />}
      {rows && rows.length > 0 && (
        <ul className="cards">
          {rows.map((row) => (
            <CredentialLine key={row.id} credential={row} revoke={() => revoke(row.id)} path={path} />
          ))}
        </ul>
      )}
      <div>
        <Button icon="plus" onPress={() => setCreating(true)}>
          {create}
        </Button>
      </div>
      {isCreating && dialog(() => setCreating(false))}
    </section>
  );
}

interface CredentialLineProps {
  credential: Credential;
  revoke: () => Promise<unknown>;
  path: string;
}

/** A credential with a button that revokes it, which cannot be undone. */
function CredentialLine({ credential, revoke, path }: CredentialLineProps) {
  const { name, last_used_utc, expires_utc, scopes } = credential;
  const [isAsking, setAsking] = useState(false);
  const about = [
    scopes?.join(', '),
    last_used_utc ? t('used', { ago: when.ago(last_used_utc) }) : t('unused'),
    expires_utc && t('expires', { ago: when.ago(expires_utc) }),
  ];
  return (
    <li className="card">
      <div>
        <p>{name}</p>
        <p className="soft">{about.filter(Boolean).join(' · ')}</p>
      </div>
      <Button onPress={() => setAsking(true)} aria-label={t('revoke_of', { name })}>
        {t('revoke')}
      </Button>
      {isAsking && (
        <RemovalDialog
          title={t('revoke_of', { name })}
          action={t('revoke')}
          done={t('revoked')}
          remove={revoke}
          path={path}
          onClose={() => setAsking(false)}
        >
          <p>{t('revoke.text')}</p>
        </RemovalDialog>
      )}
    </li>
  );
}

/** Shows a new credential, which the server shows once. */
function SecretDialog({ title, name, secret, onClose }: Record<'title' | 'name' | 'secret', string> & CloseProps) {
  return (
    <SecretSheet title={title} onClose={onClose}>
      <p>{t('shown_once')}</p>
      <Secret label={name} value={secret} />
    </SecretSheet>
  );
}

interface CloseProps {
  onClose: () => void;
}

interface NewCredentialProps extends CloseProps {
  userId: number;
}

function AppPasswords({ userId }: { userId: number }) {
  const { data, error, refetch } = useQuery(read('GET /admin/v1/users/{id}/application-passwords', { id: userId }));
  return (
    <CredentialList
      id="app-passwords"
      heading={t('passwords')}
      text={t('passwords.text')}
      create={t('passwords.new')}
      rows={data?.application_passwords}
      error={error}
      onRetry={() => void refetch()}
      revoke={(password_id) =>
        call('DELETE /admin/v1/users/{id}/application-passwords/{password_id}', { id: userId, password_id })
      }
      path="/admin/v1/users"
      dialog={(close) => <NewPassword userId={userId} onClose={close} />}
    />
  );
}

function NewPassword({ userId, onClose }: NewCredentialProps) {
  const [created, setCreated] = useState<{ name: string; password: string }>();
  const create = useAction(
    (value: FieldValue) =>
      call('POST /admin/v1/users/{id}/application-passwords', { id: userId, name: value('program') }),
    {
      onSuccess: (password) => {
        setCreated(password);
        return refresh('/admin/v1/users');
      },
    },
  );
  const title = t('passwords.new');
  if (created) return <SecretDialog title={title} name={created.name} secret={created.password} onClose={onClose} />;
  return (
    <FormDialog title={title} action={t('make')} isPending={create.isPending} onSubmit={create.run} onClose={onClose}>
      <FormProblem error={create.error} fields={['name']} />
      <ProgramField problem={fieldProblems(create.error).name} />
    </FormDialog>
  );
}

const ProgramField = ({ problem }: { problem: string | undefined }) => (
  <TextField name="program" label={t('program')} hint={t('program.hint')} problem={problem} isRequired autoFocus />
);

/** Maximum number of tokens that are listed. */
const PER_PAGE = 50;

function Tokens({ userId }: { userId: number }) {
  const { data, error, refetch } = useQuery(read('GET /admin/v1/tokens', { user_id: userId, per_page: PER_PAGE }));
  return (
    <CredentialList
      id="tokens"
      heading={t('tokens')}
      text={t('tokens.text')}
      create={t('tokens.new')}
      rows={data?.tokens}
      error={error}
      onRetry={() => void refetch()}
      revoke={(id) => call('DELETE /admin/v1/tokens/{id}', { id })}
      path="/admin/v1/tokens"
      dialog={(close) => <NewToken userId={userId} onClose={close} />}
    />
  );
}

const SCOPES = ['read', 'events:write', 'tickets:write', 'checkin', 'admin'] as const;

function NewToken({ userId, onClose }: NewCredentialProps) {
  const [created, setCreated] = useState<{ name: string; token: string }>();
  const [scopes, setScopes] = useState<readonly (typeof SCOPES)[number][]>(['read']);
  const create = useAction(
    (value: FieldValue) => {
      const expires = value('expires');
      const input = { name: value('program'), scopes: [...scopes], user_id: userId, ...(expires && { expires }) };
      return call('POST /admin/v1/tokens', input);
    },
    {
      onSuccess: (token) => {
        setCreated(token);
        return refresh('/admin/v1/tokens');
      },
    },
  );
  const title = t('tokens.new');
  if (created) return <SecretDialog title={title} name={created.name} secret={created.token} onClose={onClose} />;
  const problems = fieldProblems(create.error);
  return (
    <FormDialog
      title={title}
      action={t('make')}
      isPending={create.isPending}
      isDisabled={scopes.length === 0}
      onSubmit={create.run}
      onClose={onClose}
    >
      <FormProblem error={create.error} fields={['name', 'expires']} />
      <ProgramField problem={problems.name} />
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
      <TextField name="expires" type="date" label={t('until')} hint={t('until.hint')} problem={problems.expires} />
    </FormDialog>
  );
}
