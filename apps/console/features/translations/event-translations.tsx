import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useSite } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { languageName } from '../../i18n/formats.ts';
import { EventName, EventTabs } from '../../shared/screen/event-tabs.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Empty, Failure, RowsLoading } from '../../ui/states.tsx';
import { type Kind, TEXTS } from './kinds.ts';
import { labelOf, t } from './routes.ts';
import { ownTextsOf, readTexts, textsOf } from './text-kind.ts';
import './translations.css';

const route = getRouteApi('/events/$id/translations');

/** More tickets than an event has. */
const ALL = 100;

/** Translated texts of an event and its tickets, by language. */
export function Screen() {
  const id = Number(route.useParams().id);
  const { languages } = useSite();
  const others = languages.slice(1);
  const tickets = useQuery(read('GET /tickets/v1/tickets', { include_post: [id], per_page: ALL }));
  return (
    <Page title={t('title')} note={<EventName event={id} />}>
      <EventTabs event={id} />
      {others.length === 0 && <Empty icon="translate" text={t('one_language')} />}
      <ul className="cards">
        {others.map((language) => (
          <RecordLine key={language} kind="event" id={id} language={language} />
        ))}
        {tickets.data?.tickets.map((ticket) =>
          others.map((language) => (
            <RecordLine key={`${ticket.id} ${language}`} kind="ticket" id={ticket.id} language={language} />
          )),
        )}
      </ul>
    </Page>
  );
}

interface LineProps {
  kind: Kind;
  id: number;
  language: string;
}

function RecordLine({ kind, id, language }: LineProps) {
  const [first = ''] = useSite().languages;
  const source = useQuery(readTexts(kind, id, first));
  const target = useQuery(readTexts(kind, id, language));
  const error = source.error ?? target.error;
  if (error) return <Failure error={error} />;
  if (!source.data || !target.data) return <RowsLoading rows={1} />;
  const [texts, own] = [textsOf(kind, source.data), ownTextsOf(kind, target.data, language)];
  const missing = TEXTS[kind].filter(({ name }) => texts[name] !== '' && own[name] === '');
  const names = missing.map(({ name }) => labelOf(name));
  return (
    <li className="card">
      <div>
        <Link to="/translations/$kind/$id" params={{ kind, id: String(id) }} search={{ language }}>
          {t('line', {
            language: languageName(language),
            name: kind === 'ticket' ? (Object.values(texts)[0] ?? '') : t('kind.one_event'),
          })}
        </Link>
        <p className="soft">{names.length === 0 ? t('complete') : t('lacks', { texts: names.join(', ') })}</p>
      </div>
      <span className={names.length === 0 ? 'badge good' : 'badge warn'}>
        {names.length === 0 ? t('done') : t('gaps', { count: names.length })}
      </span>
    </li>
  );
}
