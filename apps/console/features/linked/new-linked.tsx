import { useState } from 'react';
import type { Input } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { useAction } from '../../data/actions.ts';
import { contentLanguage } from '../../data/content-language.ts';
import { TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { refreshLinked } from './changes.ts';
import { type Kind, nameOf, singularOf } from './kinds.ts';
import { t } from './routes.ts';

interface NewLinkedProps {
  kind: Kind;
  /** Opens the new record. */
  onCreated: (id: number) => void;
  onClose: () => void;
}

/** Creates a record by its name; its page has the other fields. */
export function NewLinked({ kind, onCreated, onClose }: NewLinkedProps) {
  const [name, setName] = useState('');
  const create = useAction(() => createLinked(kind, name), {
    onSuccess: (created) => {
      toast(t('created', { name: nameOf(created) }));
      onCreated(created.id);
    },
  });
  const member = singularOf(kind);
  return (
    <FormDialog
      title={t(`new.${kind}`)}
      action={t(`create.${kind}`)}
      cancel={t('cancel')}
      isPending={create.isPending}
      onSubmit={() => create.run()}
      onClose={onClose}
    >
      <FormProblem error={create.error} fields={[member]} />
      <TextField
        label={t('name')}
        value={name}
        onChange={setName}
        problem={fieldProblems(create.error)[member]}
        hint={t(`new.hint.${kind}`)}
        isRequired
        autoFocus
      />
    </FormDialog>
  );
}

async function createLinked(kind: Kind, name: string) {
  const language = contentLanguage();
  const options = { ...(language !== undefined && { language }) };
  // The name is the only required member.
  const input: Partial<Input<`POST /events/v1/${Kind}`>> = { [singularOf(kind)]: name };
  const created = await call(`POST /events/v1/${kind}`, input as Input<`POST /events/v1/${Kind}`>, options);
  void refreshLinked(kind);
  return created;
}
