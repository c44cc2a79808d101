import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMe } from '../frame/account.ts';
import { read } from '../frame/queries.ts';
import { mayChange } from '../parts/event-rights.ts';
import { Page, PageLoading } from '../parts/page.tsx';
import { PictureField } from '../parts/picture-field.tsx';
import { RichText } from '../parts/rich-text/rich-text.tsx';
import { Failure } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { TextField } from '../parts/text-field.tsx';
import { ConflictDialog } from '../record/conflict-dialog.tsx';
import { UnsavedBar } from '../record/unsaved-bar.tsx';
import { type EditedRecord, useRecord } from '../record/use-record.ts';
import { when } from '../when.ts';
import { CoordinatesField } from './coordinates-field.tsx';
import { KINDS, type Kind } from './kinds.ts';
import './linked-posts.css';
import { detailOf, type LinkedPost, nameOf } from './linked-post.ts';
import { type LinkedPostFields, linkedPostKind } from './linked-post-kind.ts';
import { StateCard } from './state-card.tsx';
import { t } from './texts.ts';

type Edited = EditedRecord<LinkedPost, LinkedPostFields>;

const labelOf = (name: string): string => t(`field.${name as 'address'}`);

/** One venue or organizer. */
export function LinkedPostEditor({ kind, id }: { kind: Kind; id: number }) {
  const { data: edited, error, retry } = useRecord(linkedPostKind(kind), id);
  const me = useMe();
  if (error)
    return (
      <Page title={t(kind)}>
        <Failure error={error} onRetry={retry} />
      </Page>
    );
  if (!edited) return <PageLoading />;
  const { record, values } = edited;
  const mayEdit = mayChange(me, record);
  return (
    <Page
      title={String(values[KINDS[kind].name] ?? '') || nameOf(kind, record)}
      note={<Link to={`/${kind}`}>{t(`all.${kind}`)}</Link>}
    >
      <div className="editor linked-post">
        {mayEdit ? <Form kind={kind} edited={edited} /> : <Shown kind={kind} record={record} />}
        <aside>
          <StateCard kind={kind} edited={edited} mayEdit={mayEdit} />
          <UsedBy kind={kind} id={id} />
        </aside>
      </div>
      <UnsavedBar edited={edited} />
      <ConflictDialog edited={edited} labelOf={labelOf} />
    </Page>
  );
}

/** A field of texts. */
const lineOf = ({ field }: Edited, name: string) => {
  const { value, ...others } = field(name);
  return { ...others, value: String(value ?? '') };
};

function Form({ kind, edited }: { kind: Kind; edited: Edited }) {
  const { name, lines, switches, isPlace } = KINDS[kind];
  const { field } = edited;
  const image = field('image');
  return (
    <div>
      <section className="form-section" aria-labelledby="basics">
        <h2 id="basics">{t('section.basics')}</h2>
        <TextField label={t('name')} {...lineOf(edited, name)} isRequired />
        {lines.map((line) => (
          <TextField key={line} label={labelOf(line)} {...lineOf(edited, line)} />
        ))}
        {isPlace && <CoordinatesField {...lineOf(edited, 'coordinates')} />}
        {switches.map((one) => (
          <Switch
            key={one}
            isSelected={edited.values[one] === true}
            onChange={(isOn) => edited.field(one).onChange(isOn)}
          >
            {labelOf(one)}
          </Switch>
        ))}
      </section>
      <section className="form-section" aria-labelledby="text">
        <h2 id="text">{t('section.text')}</h2>
        <RichText label={labelOf('description')} {...lineOf(edited, 'description')} />
        <PictureField
          label={labelOf('image')}
          value={edited.values.image}
          onChange={image.onChange}
          problem={image.problem}
        />
      </section>
    </div>
  );
}

/** For who may not change it. */
function Shown({ kind, record }: { kind: Kind; record: LinkedPost }) {
  return (
    <section className="form-section">
      <p>{detailOf(kind, record)}</p>
      <p className="soft">{t('read_only')}</p>
    </section>
  );
}

/** The next events of it. */
function UsedBy({ kind, id }: { kind: Kind; id: number }) {
  const { data, error } = useQuery(read('GET /events/v1/events', { [KINDS[kind].name]: [id], per_page: 10 }));
  return (
    <section aria-labelledby="used">
      <h2 id="used">{t('used')}</h2>
      {error && <Failure error={error} />}
      {data?.total === 0 && <p className="soft">{t('used.none')}</p>}
      <ul className="linked-events">
        {data?.events.map((event) => (
          <li key={event.id}>
            <Link to="/events/$id" params={{ id: String(event.id) }}>
              {event.title}
            </Link>{' '}
            <span className="soft">{when.day(event.start_date)}</span>
          </li>
        ))}
      </ul>
      {data && data.total > data.events.length && (
        <p className="soft">{t('used.more', { count: data.total - data.events.length })}</p>
      )}
    </section>
  );
}
