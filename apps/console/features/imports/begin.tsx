import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Form } from 'react-aria-components/Form';
import type { Import } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { useAction } from '../../data/actions.ts';
import { refresh } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, Switch, TextField } from '../../ui/fields.tsx';
import { type FieldValue, fieldValues } from '../../ui/form-dialog.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { useValues } from '../../ui/use-values.ts';
import { t } from './routes.ts';
import { useFileUpload } from './upload.ts';

const SOURCES = ['file', 'wordpress', 'ical'] as const;
type Source = (typeof SOURCES)[number];
const STATUSES = ['publish', 'pending', 'draft', 'private'] as const;
const TABLES = ['events', 'venues', 'organizers', 'attendees'] as const;

export const FILE_ENDINGS = ['.csv', '.xlsx', '.tsv', '.txt', '.ics', '.ical', '.xml', '.sql', '.gz'];

const isTable = (name: string): boolean => /\.(csv|tsv|txt|xlsx)$/i.test(name);
const isDump = (name: string): boolean => /\.sql(\.gz)?$/i.test(name);
const isCalendar = (name: string): boolean => /\.i(cs|cal)$/i.test(name);

/** Choices of the form; its texts are read when it is sent. */
interface Choices {
  source: Source;
  file: File | undefined;
  table: Table;
  status: (typeof STATUSES)[number];
  isTheirs: boolean;
  withMedia: boolean;
}

const FIRST: Choices = {
  source: 'file',
  file: undefined,
  table: 'events',
  status: 'publish',
  isTheirs: false,
  withMedia: false,
};

/** Begins an import from a file or an address; its plan is made before anything is written. */
export function BeginImport() {
  const [choices, change] = useValues(FIRST);
  const { source, file } = choices;
  const navigate = useNavigate();
  const upload = useFileUpload();
  const begin = useAction((input: Parameters<typeof create>[0]) => create(input), {
    onSuccess: async (made) => {
      if (file && source === 'file') upload({ item: made, file });
      await refresh('/admin/v1/imports');
      await navigate({ to: '/imports/$id', params: { id: String(made.id) } });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const input = inputOf(choices, fieldValues(event));
    if (input) begin.run(input);
  };
  return (
    <section aria-labelledby="begin-import" className="import-begin">
      <h2 id="begin-import">{t('begin')}</h2>
      <p className="soft">{t('begin.text')}</p>
      <Form className="form" onSubmit={submit}>
        <SourceFields choices={choices} onChange={change} problems={fieldProblems(begin.error)} />
        <OptionFields choices={choices} onChange={change} />
        <FormProblem error={begin.error} fields={['file_name', 'size', 'address', 'password', 'prefix']} />
        <Button
          type="submit"
          look="primary"
          isPending={begin.isPending}
          isDisabled={source === 'file' && file === undefined}
        >
          {t('plan')}
        </Button>
      </Form>
    </section>
  );
}

/** Import that the form describes; undefined without a file. */
function inputOf(
  { source, file, table, status, isTheirs, withMedia }: Choices,
  value: FieldValue,
): NonNullable<Input> | undefined {
  const choices = { status, theirs: isTheirs };
  if (source === 'file') {
    const prefix = value('prefix').trim();
    return file && { file_name: file.name, size: file.size, rows: table, ...choices, ...(prefix && { prefix }) };
  }
  const [username, password] = [value('username').trim(), value('password')];
  return {
    kind: source,
    address: value('address').trim(),
    ...choices,
    ...(source === 'wordpress' && { media: withMedia }),
    ...(source === 'wordpress' && (username || password) && { username, password }),
  };
}

interface ChoicesProps {
  choices: Choices;
  onChange: (changed: Partial<Choices>) => void;
}

/** Source of the records. */
function SourceFields({
  choices: { source, file, table },
  onChange,
  problems,
}: ChoicesProps & { problems: Readonly<Record<string, string>> }) {
  return (
    <>
      <SelectField
        label={t('source')}
        value={source}
        onChange={(next) => onChange({ source: next })}
        choices={SOURCES.map((value) => ({ value, label: t(`source.${value}`) }))}
      />
      {source === 'file' ? (
        <FileFields
          file={file}
          table={table}
          problems={problems}
          onFile={(next) => onChange({ file: next })}
          onTable={(next) => onChange({ table: next })}
        />
      ) : (
        <TextField
          key={source}
          label={t('address')}
          name="address"
          type="url"
          isRequired
          hint={t(`address.${source}`)}
          problem={problems.address}
        />
      )}
      {source === 'wordpress' && <AccountFields problem={problems.password} />}
    </>
  );
}

/** Options for the records. */
function OptionFields({ choices: { source, file, status, isTheirs, withMedia }, onChange }: ChoicesProps) {
  const hasStatus = source === 'ical' || (file !== undefined && (isTable(file.name) || isCalendar(file.name)));
  return (
    <>
      {hasStatus && (
        <SelectField
          label={t('status')}
          value={status}
          onChange={(next) => onChange({ status: next })}
          choices={STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
        />
      )}
      {source === 'wordpress' && (
        <Switch isSelected={withMedia} onChange={(isOn) => onChange({ withMedia: isOn })}>
          {t('media')}
        </Switch>
      )}
      <Switch isSelected={isTheirs} onChange={(isOn) => onChange({ isTheirs: isOn })}>
        {t('theirs')}
      </Switch>
    </>
  );
}

type Input = Parameters<typeof call<'POST /admin/v1/imports'>>[1];
const create = (input: NonNullable<Input>): Promise<Import> => call('POST /admin/v1/imports', input);

type Table = (typeof TABLES)[number];

interface FileFieldsProps {
  file: File | undefined;
  table: Table;
  problems: Readonly<Record<string, string>>;
  onFile: (file: File) => void;
  onTable: (table: Table) => void;
}

/** A file, with the options of its kind. */
function FileFields({ file, table, problems, onFile, onTable }: FileFieldsProps) {
  return (
    <>
      <FileField file={file} onChange={onFile} problem={problems.file_name ?? problems.size} />
      {file && isTable(file.name) && (
        <SelectField
          label={t('rows')}
          value={table}
          onChange={onTable}
          choices={TABLES.map((value) => ({ value, label: t(`rows.${value}`) }))}
        />
      )}
      {file && isDump(file.name) && (
        <TextField label={t('prefix')} name="prefix" hint={t('prefix.hint')} problem={problems.prefix} />
      )}
    </>
  );
}

interface FileFieldProps {
  file: File | undefined;
  onChange: (file: File) => void;
  problem?: string | undefined;
}

function FileField({ file, onChange, problem }: FileFieldProps) {
  return (
    <div className="field">
      <span className="import-file">
        <FileTrigger acceptedFileTypes={FILE_ENDINGS} onSelect={(files) => files?.[0] && onChange(files[0])}>
          <Button icon="plus">{t('file.choose')}</Button>
        </FileTrigger>
        <span>{file?.name ?? <span className="soft">{t('file.none')}</span>}</span>
      </span>
      <span className="hint">{t('file.hint')}</span>
      {problem && (
        <span className="field-error" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}

/** Account at a site, whose password the server erases. */
export const AccountFields = ({ problem }: { problem?: string | undefined }) => (
  <>
    <TextField label={t('username')} name="username" autoComplete="off" />
    <TextField
      label={t('password')}
      name="password"
      type="password"
      autoComplete="off"
      hint={t('password.hint')}
      problem={problem}
    />
  </>
);
