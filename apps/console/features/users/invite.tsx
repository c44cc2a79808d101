import { useState } from 'react';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { useSite } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { refresh } from '../../data/queries.ts';
import { TextField } from '../../ui/fields.tsx';
import { type FieldValue, FormDialog } from '../../ui/form-dialog.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { LanguageField, LinkDialog, RoleField } from './account-fields.tsx';
import { type Role, t } from './routes.ts';

/** Creates an account. The link for its first sign-in is sent by mail, or shown where the site sends none. */
export function Invite({ onClose }: { onClose: () => void }) {
  const [role, setRole] = useState<Role>('author');
  const [language, setLanguage] = useState('');
  const [link, setLink] = useState('');
  const { sends_mail: sendsMail } = useSite();
  const invite = useAction(
    (value: FieldValue) =>
      call('POST /admin/v1/users', {
        username: value('username'),
        email: value('email'),
        role,
        language,
        invite: true,
      }),
    {
      onSuccess: ({ sign_in_link, email }) => {
        if (sign_in_link) setLink(sign_in_link.url);
        else {
          toast(t('invite.sent', { email }));
          onClose();
        }
        return refresh('/admin/v1/users');
      },
    },
  );
  if (link) return <LinkDialog url={link} onClose={onClose} />;
  const problems = fieldProblems(invite.error);
  return (
    <FormDialog
      title={t('invite')}
      action={t(sendsMail ? 'invite.send' : 'invite.make')}
      isPending={invite.isPending}
      onSubmit={invite.run}
      onClose={onClose}
    >
      <FormProblem error={invite.error} />
      <TextField
        name="username"
        label={t('name')}
        hint={t('name.hint')}
        problem={problems.username}
        isRequired
        autoFocus
      />
      <TextField name="email" type="email" label={t('email')} problem={problems.email} isRequired />
      <RoleField value={role} onChange={setRole} />
      {sendsMail && <LanguageField value={language} onChange={setLanguage} />}
      {sendsMail && <p className="hint">{t('invite.hint')}</p>}
    </FormDialog>
  );
}
