import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Gate } from '../../../../packages/client/src/marquee-client.ts';
import { read } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { EventPicker } from '../../shared/pickers/record-picker.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { useGo } from '../../shared/screen/screen.tsx';
import { Empty } from '../../ui/states.tsx';
import { PagedList } from '../../ui/table/paged-list.tsx';
import { t } from './routes.ts';
import './door.css';

const route = getRouteApi('/door');

const PER_PAGE = 25;

/** Gates of all events, each with its evening. */
export function Screen() {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const go = useGo();
  const list = useQuery(read('GET /admin/v1/door/gates', { page, per_page: PER_PAGE }, { keepsPrevious: true }));
  return (
    <Page title={t('title')}>
      <p className="soft">{t('text')}</p>
      <EventPicker
        label={t('event')}
        any={t('choose_event')}
        value={undefined}
        onChange={(id) => id !== undefined && go(`/events/${id}/door`)}
      />
      <PagedList
        query={list}
        rows={3}
        empty={<Empty text={t('none')} icon="check" />}
        page={page}
        onPage={(next) => void navigate({ search: { page: next } })}
      >
        {(data) => (
          <ul className="cards">
            {data.gates.map((gate) => (
              <GateLine key={gate.id} gate={gate} />
            ))}
          </ul>
        )}
      </PagedList>
    </Page>
  );
}

function GateLine({ gate: { name, event_ids, devices } }: { gate: Gate }) {
  return (
    <li className="card door-gate">
      <p>
        <strong>{name}</strong> <span className="soft">{t('devices', { count: devices })}</span>
      </p>
      <ul>
        {event_ids.map((id) => (
          <li key={id}>
            <EventLink id={id} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function EventLink({ id }: { id: number }) {
  const { data } = useQuery(read('GET /events/v1/events/{id}', { id }));
  return (
    <Link to="/events/$id/door" params={{ id: String(id) }}>
      <span className="clamped">
        {data ? `${data.title}, ${when.day(data.start_date)}` : t('event_of', { id: String(id) })}
      </span>
    </Link>
  );
}
