import { type FormEvent, useId, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { contentLanguage } from '../../data/content-language.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { ParentPicker } from './parent-picker.tsx';
import { refreshTerms } from './reads.ts';
import { t } from './routes.ts';
import { atField } from './term-kind.ts';
import type { Taxonomy } from './terms.ts';

interface NewTermProps {
  taxonomy: Taxonomy;
  /** The category that a new one is proposed to stand below. */
  parent: number;
  onClose: () => void;
}

/** Creates a term by its name. */
export function NewTerm({ taxonomy, parent: proposed, onClose }: NewTermProps) {
  const form = useId();
  const [name, setName] = useState('');
  const [parent, setParent] = useState(proposed);
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const fields = isProblem(error) ? error.fields : {};
  const create = async (event: FormEvent) => {
    event.preventDefault();
    setSending(true);
    try {
      await createTerm(taxonomy, { name, ...(taxonomy === 'categories' && { parent }) });
      onClose();
    } catch (caught) {
      setError(atField(caught));
      setSending(false);
    }
  };
  return (
    <DialogBox
      title={t(`new.${taxonomy}`)}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button type="submit" form={form} look="primary" isPending={isSending}>
            {t(`create.${taxonomy}`)}
          </Button>
        </>
      }
    >
      <Form id={form} className="form" onSubmit={(event) => void create(event)}>
        {error !== undefined && Object.keys(fields).length === 0 && <FormProblem error={error} />}
        <TextField label={t('name')} value={name} onChange={setName} problem={fields.name} isRequired autoFocus />
        {taxonomy === 'categories' && <ParentPicker value={parent} onChange={setParent} problem={fields.parent} />}
      </Form>
    </DialogBox>
  );
}

async function createTerm(taxonomy: Taxonomy, input: { name: string; parent?: number }): Promise<void> {
  const language = contentLanguage();
  const options = language === undefined ? {} : { language };
  const { id, name, revision } = await call(`POST /events/v1/${taxonomy}`, input, options);
  await refreshTerms(taxonomy);
  const undo = async () => {
    await call(`DELETE /events/v1/${taxonomy}/{id}`, { id }, { revision });
    await refreshTerms(taxonomy);
  };
  toast(t('created', { name }), { undo });
}
