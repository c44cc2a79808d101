import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Finding } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { localIn } from '../../../client/when.ts';
import { useRight, useSite } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { read, refresh } from '../../data/queries.ts';
import { money, when } from '../../i18n/formats.ts';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Empty, FormProblem, LoadedList } from '../../ui/states.tsx';
import { Pager } from '../../ui/table/data-table.tsx';
import { FilterBar, Views } from '../../ui/table/filter-bar.tsx';
import { toast } from '../../ui/toast.tsx';
import { useUserName } from './order-action.ts';
import { FINDING_STATUSES, t } from './routes.ts';
import './orders.css';

const route = getRouteApi('/orders/findings');

const PER_PAGE = 25;

/** Differences between the ledger and the payment service. */
export function Screen() {
  const { status = 'open', page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const [closing, setClosing] = useState<Finding>();
  const list = useQuery(
    read('GET /admin/v1/reconciliation', { status, page, per_page: PER_PAGE }, { keepsPrevious: true }),
  );
  return (
    <Page title={t('findings')} note={<Link to="/orders">{t('all')}</Link>}>
      <p className="hint">{t('findings.hint')}</p>
      <FilterBar>
        <Views
          label={t('state')}
          choices={FINDING_STATUSES.map((value) => ({ value, label: t(`findings.${value}`) }))}
          value={status}
          onChange={(next) => void navigate({ search: { status: next } })}
        />
      </FilterBar>
      <LoadedList
        query={list}
        empty={<Empty icon="check" text={t(status === 'open' ? 'findings.none' : 'findings.none_closed')} />}
      >
        {(data) => (
          <>
            <ul className="cards">
              {data.findings.map((finding) => (
                <FindingCard key={finding.id} finding={finding} onClose={() => setClosing(finding)} />
              ))}
            </ul>
            <Pager
              page={page}
              list={data}
              onPage={(next) => void navigate({ search: (now) => ({ ...now, page: next }) })}
            />
          </>
        )}
      </LoadedList>
      {closing && <CloseFinding finding={closing} onClose={() => setClosing(undefined)} />}
    </Page>
  );
}

const sumOf = (side: Finding['booked']): string => (side ? money(side.minor, side.currency) : t('finding.nothing'));

function FindingCard({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  const { id, kind, record, order, booked, settled, external_id, date_utc, status, note, user_id } = finding;
  const mayClose = useRight('refund') && status === 'open';
  const nameOf = useUserName();
  const { timezone } = useSite();
  return (
    <li className="card">
      <div>
        <p>
          {order ? (
            <Link to="/orders/$id" params={{ id: String(order.id) }}>
              {order.number}
            </Link>
          ) : (
            t('finding.unknown')
          )}{' '}
          {t(`finding.${record}`)} <span className="badge warn">{t(`finding.${kind}`)}</span>
        </p>
        <p>
          {t('finding.here', { sum: sumOf(booked) })} · {t('finding.there', { sum: sumOf(settled) })}
        </p>
        <p className="soft">{[when.moment(localIn(timezone, date_utc)), external_id].filter(Boolean).join(' · ')}</p>
        {note && (
          <p>
            {note} <span className="soft">{nameOf(user_id)}</span>
          </p>
        )}
      </div>
      {mayClose && (
        <Button aria-label={t('finding.close_of', { id: String(id) })} onPress={onClose}>
          {t('finding.close')}
        </Button>
      )}
    </li>
  );
}

function CloseFinding({ finding: { id }, onClose }: { finding: Finding; onClose: () => void }) {
  const [note, setNote] = useState('');
  const close = useAction(() => call('POST /admin/v1/reconciliation/{id}/close', { id, note }), {
    onSuccess: () => {
      onClose();
      toast(t('finding.closed'));
    },
    onSettled: () => refresh('/admin/v1/'),
  });
  return (
    <FormDialog
      title={t('finding.close_of', { id: String(id) })}
      action={t('finding.close')}
      cancel={t('leave')}
      isPending={close.isPending}
      isDisabled={note.trim() === ''}
      onSubmit={() => close.run()}
      onClose={onClose}
    >
      <FormProblem error={close.error} fields={['note']} />
      <TextField
        label={t('finding.note')}
        value={note}
        onChange={setNote}
        hint={t('finding.note_hint')}
        maxLength={500}
        problem={fieldProblems(close.error).note}
        autoFocus
      />
    </FormDialog>
  );
}
