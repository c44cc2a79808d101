import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Mail } from '../../../../packages/client/src/marquee-client.ts';
import { CUSTOMER_MAIL_KINDS, MAIL_KINDS } from '../../../../src/lib/mail-kinds.ts';
import { useRight, useSite } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { MailCards } from '../../shared/mails/mail-cards.tsx';
import { MAIL_STATUSES, t } from '../../shared/mails/mails.ts';
import { EventPicker } from '../../shared/pickers/record-picker.tsx';
import { EventName, EventTabs } from '../../shared/screen/event-tabs.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Empty, NothingFound } from '../../ui/states.tsx';
import { ChoiceFilter, FilterBar, SearchBox } from '../../ui/table/filter-bar.tsx';
import { PagedList } from '../../ui/table/paged-list.tsx';

const PER_PAGE = 25;
/** Milliseconds between two reads: mails are sent meanwhile. */
const INTERVAL = 15_000;

interface Filters {
  status?: Mail['status'] | undefined;
  kind?: Mail['kind'] | undefined;
  to?: string | undefined;
  event?: number | undefined;
  page?: number;
}

const route = getRouteApi('/mails');
const eventRoute = getRouteApi('/events/$id/mails');

/** Mails about all events. */
export function Screen() {
  const navigate = route.useNavigate();
  return (
    <Mails
      shown={route.useSearch()}
      onShow={(next) => void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) })}
    />
  );
}

/** Mails about one event. */
export function EventMails() {
  const event = Number(eventRoute.useParams().id);
  const navigate = eventRoute.useNavigate();
  return (
    <Mails
      ofEvent={event}
      shown={{ ...eventRoute.useSearch(), event }}
      onShow={({ event: _event, ...next }) =>
        void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) })
      }
    />
  );
}

interface MailsProps {
  /** Limits the list to one event. */
  ofEvent?: number;
  shown: Filters;
  onShow: (next: Partial<Filters>) => void;
}

/** Tests if a search is a whole address. */
const isAddress = (typed: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed);

function Mails({ ofEvent, shown, onShow }: MailsProps) {
  const { status, kind, to, event, page = 1 } = shown;
  const isOfAll = ofEvent === undefined;
  const seesAccounts = useRight('manage_users') && isOfAll;
  const { sends_mail: sendsMail } = useSite();
  const query = { status, kind, event, to: to && isAddress(to) ? to : undefined, page, per_page: PER_PAGE };
  const list = useQuery({ ...read('GET /admin/v1/mails', query, { keepsPrevious: true }), refetchInterval: INTERVAL });
  const kinds: readonly Mail['kind'][] = seesAccounts ? MAIL_KINDS : CUSTOMER_MAIL_KINDS;
  const isNarrowed = Boolean(status || kind || to || (isOfAll && event));
  return (
    <Page title={t('title')} note={ofEvent === undefined ? undefined : <EventName event={ofEvent} />}>
      {ofEvent !== undefined && <EventTabs event={ofEvent} />}
      {!sendsMail && <p className="notice info">{t('no_server')}</p>}
      <FilterBar>
        <ChoiceFilter
          label={t('status')}
          all={t('all')}
          value={status}
          values={MAIL_STATUSES}
          nameOf={(value) => t(`status.${value}`)}
          onChange={(next) => onShow({ status: next })}
        />
        <ChoiceFilter
          label={t('kind')}
          all={t('all')}
          value={kind}
          values={kinds}
          nameOf={(value) => t(`kind.${value}`)}
          onChange={(next) => onShow({ kind: next })}
        />
        {isOfAll && <EventPicker label={t('event')} value={event} onChange={(next) => onShow({ event: next })} />}
        <SearchBox label={t('search')} value={to ?? ''} onChange={(next) => onShow({ to: next.trim() || undefined })} />
      </FilterBar>
      {to && !isAddress(to) && <p className="soft">{t('search.whole')}</p>}
      <PagedList
        query={list}
        empty={
          isNarrowed ? (
            <NothingFound
              text={t('none_found')}
              icon="mail"
              onClear={() => onShow({ status: undefined, kind: undefined, to: undefined, event: undefined })}
            />
          ) : (
            <Empty text={t('none')} icon="mail" />
          )
        }
        page={page}
        onPage={(next) => onShow({ page: next })}
      >
        {(data) => <MailCards mails={data.mails} withOrders />}
      </PagedList>
    </Page>
  );
}
