import { type FormEvent, useId, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { refresh } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { RoleField } from './role-field.tsx';
import { type Role, t } from './routes.ts';

/** Makes an account and shows the link by which its person enters first. */
export function Invite({ onClose }: { onClose: () => void }) {
  const form = useId();
  const [role, setRole] = useState<Role>('author');
  const [link, setLink] = useState('');
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    const [username = '', email = ''] = ['username', 'email'].map((key) => String(sent.get(key) ?? ''));
    try {
      const { sign_in_link } = await call('POST /admin/v1/users', { username, email, role });
      setLink(sign_in_link?.url ?? '');
      await refresh('/admin/v1/users');
    } catch (caught) {
      setError(caught);
    }
  };
  if (link) return <LinkDialog url={link} onClose={onClose} />;
  const fields = isProblem(error) ? error.fields : {};
  return (
    <DialogBox
      title={t('invite')}
      onClose={onClose}
      actions={
        <Button type="submit" form={form} look="primary">
          {t('invite.make')}
        </Button>
      }
    >
      <Form id={form} className="form" onSubmit={(event) => void submit(event)}>
        {error !== undefined && Object.keys(fields).length === 0 && <FormProblem error={error} />}
        <TextField
          name="username"
          label={t('name')}
          hint={t('name.hint')}
          problem={fields.username}
          isRequired
          autoFocus
        />
        <TextField name="email" type="email" label={t('email')} problem={fields.email} isRequired />
        <RoleField value={role} onChange={setRole} />
      </Form>
    </DialogBox>
  );
}
