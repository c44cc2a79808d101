import { type FormEvent, useId, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { Input } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { contentLanguage } from '../../data/content-language.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { refreshLinked } from './changes.ts';
import { type Kind, nameOf, singularOf } from './kinds.ts';
import { t } from './routes.ts';

interface NewLinkedProps {
  kind: Kind;
  /** Goes on with the new record. */
  onMade: (id: number) => void;
  onClose: () => void;
}

/** Creates a record by its name; its page has the other fields. */
export function NewLinked({ kind, onMade, onClose }: NewLinkedProps) {
  const form = useId();
  const [name, setName] = useState('');
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const problem = isProblem(error) ? error.fields[singularOf(kind)] : undefined;
  const create = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    try {
      const made = await createLinked(kind, name);
      toast(t('created', { name: nameOf(made) }));
      onMade(made.id);
    } catch (caught) {
      setError(caught);
      setSending(false);
    }
  };
  return (
    <DialogBox
      title={t(`new.${kind}`)}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button type="submit" form={form} look="primary" isPending={isSending}>
            {t(`create.${kind}`)}
          </Button>
        </>
      }
    >
      <Form id={form} className="form" onSubmit={(event) => void create(event)}>
        {error !== undefined && problem === undefined && <FormProblem error={error} />}
        <TextField
          label={t('name')}
          value={name}
          onChange={setName}
          problem={problem}
          hint={t(`new.hint.${kind}`)}
          isRequired
          autoFocus
        />
      </Form>
    </DialogBox>
  );
}

async function createLinked(kind: Kind, name: string) {
  const language = contentLanguage();
  const options = { ...(language !== undefined && { language }) };
  // A kind needs its name only, in the member that it is called by.
  const input: Partial<Input<`POST /events/v1/${Kind}`>> = { [singularOf(kind)]: name };
  const made = await call(`POST /events/v1/${kind}`, input as Input<`POST /events/v1/${Kind}`>, options);
  void refreshLinked(kind);
  return made;
}
