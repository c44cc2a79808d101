import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { todayIn } from '../../../client/when.ts';
import { hasRight, useMe, useRight, useSite } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { READS_ORDERS } from '../../data/rights.ts';
import { money, when } from '../../i18n/formats.ts';
import type { Sheet } from '../../shared/export/cells.ts';
import { saveFile, spreadsheetOf } from '../../shared/export/save-file.ts';
import { EventPicker } from '../../shared/pickers/record-picker.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { DayField, SelectField } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Failure, RowsLoading } from '../../ui/states.tsx';
import { FilterBar, Views } from '../../ui/table/filter-bar.tsx';
import { attendanceFigures, type Column, csvOf, type Figures, isEmpty, type Line, salesFigures } from './figures.ts';
import { MoneyReport, moneyFile } from './money-report.tsx';
import { type Days, daysOfPeriod, periodOf, periodsFor, shownDays } from './period.ts';
import { ReportChart } from './report-chart.tsx';
import { GROUPINGS, type Grouping, KINDS, type Kind, t } from './routes.ts';
import './reports.css';

const route = getRouteApi('/reports');

interface Asked {
  kind?: Kind;
  by?: Grouping;
  event?: number | undefined;
  compare?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Reports on sales and attendance. */
export function Screen() {
  const asked: Asked = route.useSearch();
  const navigate = route.useNavigate();
  const maySell = useRight('read_orders', 'read_own');
  const mayCompare = useRight(...READS_ORDERS);
  const kinds = KINDS.filter((one) => ({ sales: maySell, attendance: true, money: mayCompare })[one]);
  const { kind = kinds[0] ?? 'attendance', by = kind === 'sales' ? 'day' : 'event', event, compare } = asked;
  const isMoney = kind === 'money';
  const main = useFigures({ ...asked, kind, by }, event, !isMoney);
  const isCompared = event !== undefined && compare !== undefined && !isMoney;
  const second = useFigures({ ...asked, kind, by }, compare, isCompared);
  const names = [useTitle(event), useTitle(compare)] as const;
  const scope = useScope(kind, event);
  const show = (next: Asked) => void navigate({ search: (now) => ({ ...now, ...next }) });
  const other = isCompared && second.figures ? { figures: second.figures, name: names[1] } : undefined;
  return (
    <Page
      title={t('title')}
      actions={
        <>
          {mayCompare && <CompareLink event={event} />}
          {isMoney && (
            <a className="button" href={moneyFile(asked)} download>
              <Icon name="download" />
              {t('csv')}
            </a>
          )}
          {!isMoney && main.figures && <Files figures={main.figures} name={`marquee-${kind}-${by}`} />}
        </>
      }
    >
      <Filters kinds={kinds} asked={{ ...asked, kind, by }} onChange={show} />
      {scope === 'own' && <p className="hint">{t('own')}</p>}
      {scope === 'foreign' && <Empty icon="lock" text={t('foreign')} />}
      {isMoney ? (
        scope !== 'foreign' && <MoneyReport event={event} from={asked.from} to={asked.to} />
      ) : (
        <Report main={main} other={other} scope={scope} by={by} name={event === undefined ? undefined : names[0]} />
      )}
    </Page>
  );
}

const CompareLink = ({ event }: { event: number | undefined }) => (
  <Link to="/reports/compare" search={{ events: event === undefined ? undefined : String(event) }} className="button">
    <Icon name="report" />
    {t('compare.title')}
  </Link>
);

interface FiltersProps {
  kinds: readonly Kind[];
  asked: Asked & { kind: Kind; by: Grouping };
  onChange: (asked: Asked) => void;
}

/** Choices of the report's kind, grouping and events. */
function Filters({ kinds, asked, onChange }: FiltersProps) {
  const { kind, by, event, compare } = asked;
  const isMoney = kind === 'money';
  return (
    <>
      <FilterBar>
        <Views
          label={t('kind')}
          choices={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
          value={kind}
          onChange={(next) => onChange({ kind: next })}
        />
        {!isMoney && (
          <Views
            label={t('by')}
            choices={GROUPINGS.map((value) => ({ value, label: t(`by.${value}`) }))}
            value={by}
            onChange={(next) => onChange({ by: next })}
          />
        )}
      </FilterBar>
      <div className="form-row report-filters">
        <EventPicker
          label={t('event')}
          value={event}
          onChange={(next) => onChange({ event: next, compare: undefined })}
        />
        {event !== undefined && !isMoney && (
          <EventPicker label={t('compare')} value={compare} onChange={(next) => onChange({ compare: next })} />
        )}
        <PeriodFields kind={kind} by={by} asked={asked} onChange={onChange} />
      </div>
    </>
  );
}

interface ReportProps {
  main: ReturnType<typeof useFigures>;
  /** Figures of a second event. */
  other: { figures: Figures; name: string } | undefined;
  scope: ReturnType<typeof useScope>;
  by: Grouping;
  /** Title of the event; absent for a report on all. */
  name: string | undefined;
}

/** Figures as totals, chart and table. */
function Report({ main, other, scope, by, name }: ReportProps) {
  const interval = by === 'day' || by === 'hour' ? by : undefined;
  return (
    <>
      {main.error && <Failure error={main.error} onRetry={main.retry} />}
      {!main.figures && !main.error && <RowsLoading />}
      {scope === 'own' && main.figures && isEmpty(main.figures) && <Empty icon="report" text={t('none_own')} />}
      {main.figures && (scope === 'all' || (scope === 'own' && !isEmpty(main.figures))) && (
        <>
          <Totals figures={main.figures} name={name ?? ''} />
          {other && <Totals figures={other.figures} name={other.name} />}
          {isEmpty(main.figures) && (!other || isEmpty(other.figures)) ? (
            <Empty icon="report" text={t('none')} />
          ) : (
            <>
              <ReportChart figures={main.figures} interval={interval} name={name ?? ''} other={other} />
              <Table figures={main.figures} by={by} />
            </>
          )}
        </>
      )}
    </>
  );
}

interface PeriodProps {
  kind: Kind;
  by: Grouping;
  asked: Asked;
  onChange: (next: Days) => void;
}

/** Days of the report, and common choices of them. */
function PeriodFields({ kind, by, asked, onChange }: PeriodProps) {
  const { timezone } = useSite();
  const basis = { today: todayIn(timezone), isAllByDefault: kind === 'attendance' && asked.event !== undefined };
  const { from, to } = shownDays(asked, basis);
  const period = periodOf(asked, basis);
  const choices = [...new Set([...periodsFor(kind, by), period])];
  return (
    <>
      <SelectField
        label={t('period')}
        value={period}
        choices={choices.map((value) => ({ value, label: t(`period.${value}`) }))}
        onChange={(next) => next !== 'other' && onChange(daysOfPeriod(next, basis))}
      />
      <DayField label={t('from')} value={from} onChange={(next) => onChange({ from: next || undefined })} />
      <DayField label={t('to')} value={to} onChange={(next) => onChange({ to: next || undefined })} />
    </>
  );
}

/** Whether figures are those of all events, of the account's own ones, or of an event of another author. */
function useScope(kind: Kind, event: number | undefined): 'all' | 'own' | 'foreign' {
  const me = useMe();
  const { data } = useQuery(read('GET /events/v1/events/{id}', { id: event ?? 0 }, { isOn: event !== undefined }));
  if (hasRight(me, kind === 'attendance' ? 'read_attendees' : 'read_orders')) return 'all';
  return data && data.author !== String(me.id) ? 'foreign' : 'own';
}

function useTitle(event: number | undefined): string {
  const { data } = useQuery(read('GET /events/v1/events/{id}', { id: event ?? 0 }, { isOn: event !== undefined }));
  return data?.title ?? '';
}

function useFigures({ kind, by, from, to }: Asked & { kind: Kind; by: Grouping }, event?: number, isOn = true) {
  const input = { by, ...(event && { event }), ...(from && { from }), ...(to && { to }) };
  const isSales = kind === 'sales';
  const sales = useQuery(read('GET /admin/v1/reports/sales', input, { isOn: isOn && isSales, keepsPrevious: true }));
  const people = useQuery(
    read('GET /admin/v1/reports/attendance', input, { isOn: isOn && !isSales, keepsPrevious: true }),
  );
  const { error, refetch } = isSales ? sales : people;
  const figures = isSales
    ? sales.data && salesFigures(sales.data, money)
    : people.data && attendanceFigures(people.data);
  return { figures, error, retry: () => void refetch() };
}

function Totals({ figures: { totals }, name }: { figures: Figures; name: string }) {
  const columns = Object.keys(totals) as Column[];
  return (
    <section className="totals" aria-label={name || t('totals')}>
      {name && <h2>{name}</h2>}
      <dl>
        {columns.map((column) => (
          <div key={column}>
            <dt>{t(`column.${column}`)}</dt>
            <dd>{totals[column]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Label of a row: a period, or the name of a ticket or an event. */
function nameOf({ start, name }: Line, by: Grouping): string {
  if (start === undefined) return name || t('deleted');
  return by === 'day' ? when.day(start) : when.moment(start);
}

function Table({ figures, by }: { figures: Figures; by: Grouping }) {
  const { columns, lines, omitted } = figures;
  return (
    <details className="report-table">
      <summary>{t('table')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what has the focus */}
      <section className="report-scroll" aria-label={t('table')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t(`by.${by}`)}</th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {t(`column.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two events may have one name
              <tr key={index}>
                <th scope="row">{nameOf(line, by)}</th>
                {columns.map((column) => (
                  <td key={column}>{line.cells[column]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {omitted > 0 && <p className="soft">{t('omitted', { count: omitted })}</p>}
    </details>
  );
}

function Files({ figures: { columns, lines }, name }: { figures: Figures; name: string }) {
  const sheet = (): Sheet => [
    [t('what'), ...columns.map((column) => t(`column.${column}`))],
    ...lines.map((line) => [line.name, ...columns.map((column) => line.cells[column] ?? '')]),
  ];
  return (
    <>
      <Button icon="download" onPress={() => saveCsv(name, sheet())}>
        {t('csv')}
      </Button>
      <Button icon="download" onPress={() => void saveXlsx(name, sheet())}>
        {t('xlsx')}
      </Button>
      <Button icon="print" onPress={() => print()}>
        {t('print')}
      </Button>
    </>
  );
}

const saveCsv = (name: string, sheet: Sheet): void =>
  saveFile(`${name}.csv`, new Blob([csvOf(sheet)], { type: 'text/csv;charset=utf-8' }));

const saveXlsx = async (name: string, sheet: Sheet): Promise<void> =>
  saveFile(`${name}.xlsx`, await spreadsheetOf(sheet));
