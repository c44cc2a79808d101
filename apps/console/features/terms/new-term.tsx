import { useState } from 'react';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { useAction } from '../../data/actions.ts';
import { contentLanguage } from '../../data/content-language.ts';
import { TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { ParentPicker } from './parent-picker.tsx';
import { t } from './routes.ts';
import { atField } from './term-kind.ts';
import { refreshTerms, type Taxonomy } from './terms.ts';

interface NewTermProps {
  taxonomy: Taxonomy;
  /** Proposed parent of a category. */
  parent: number;
  onClose: () => void;
}

/** Creates a term by its name. */
export function NewTerm({ taxonomy, parent: proposed, onClose }: NewTermProps) {
  const [name, setName] = useState('');
  const [parent, setParent] = useState(proposed);
  const create = useAction(() => createTerm(taxonomy, { name, ...(taxonomy === 'categories' && { parent }) }), {
    onSuccess: onClose,
  });
  const error = create.error && atField(create.error);
  const problems = fieldProblems(error);
  return (
    <FormDialog
      title={t(`new.${taxonomy}`)}
      action={t(`create.${taxonomy}`)}
      cancel={t('cancel')}
      isPending={create.isPending}
      onSubmit={() => create.run()}
      onClose={onClose}
    >
      <FormProblem error={error} />
      <TextField label={t('name')} value={name} onChange={setName} problem={problems.name} isRequired autoFocus />
      {taxonomy === 'categories' && <ParentPicker value={parent} onChange={setParent} problem={problems.parent} />}
    </FormDialog>
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
