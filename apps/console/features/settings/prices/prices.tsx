import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../../../../client/call.ts';
import { useSite } from '../../../data/account.ts';
import { read } from '../../../data/queries.ts';
import { RemovalDialog } from '../../../shared/record/removal-dialog.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty, Failure, RowsLoading } from '../../../ui/states.tsx';
import { Pager } from '../../../ui/table/data-table.tsx';
import { SearchBox } from '../../../ui/table/filter-bar.tsx';
import { t } from '../routes.ts';
import { SettingsPage } from '../settings-page.tsx';
import { FeeDialog } from './fee-dialog.tsx';
import { feeText, type PriceText, promotionText, taxRateText } from './price-texts.ts';
import { PromotionDialog } from './promotion-dialog.tsx';
import { TaxRateDialog } from './tax-rate-dialog.tsx';

const PER_PAGE = 25;
/** Tax rates to choose from, as many as a page of the interface can have. */
const ALL = { per_page: 100 };

/** Tax rates, fees and promotion codes. */
export const Screen = () => (
  <SettingsPage name="prices">
    <p className="hint">{t('hint.prices')}</p>
    <TaxRates />
    <Fees />
    <Promotions />
  </SettingsPage>
);

interface Named {
  id: number;
}

interface List<T extends Named> {
  records: readonly T[];
  total: number;
  total_pages: number;
}

interface SectionProps<T extends Named> {
  id: 'tax_rates' | 'fees' | 'promotions';
  path: '/admin/v1/tax-rates' | '/admin/v1/fees' | '/admin/v1/promotions';
  list: List<T> | undefined;
  page: number;
  onPage: (page: number) => void;
  error: unknown;
  onRetry: () => void;
  /** Search, for a list that has one. */
  search?: ReactNode;
  /** Text in place of an empty list that is searched. */
  none?: string;
  textOf: (record: T) => PriceText;
  /** Dialog that changes a record, or creates one. */
  dialog: (record: T | undefined, onClose: () => void) => ReactNode;
}

function Section<T extends Named>(props: SectionProps<T>) {
  const { id, path, list, page, onPage, error, onRetry, search, none, textOf, dialog } = props;
  const [edited, setEdited] = useState<{ record?: T }>();
  const [removed, setRemoved] = useState<T>();
  return (
    <section aria-labelledby={id} className="prices">
      <div className="section-head">
        <h2 id={id}>{t(`prices.${id}`)}</h2>
        <Button icon="plus" onPress={() => setEdited({})}>
          {t(`prices.${id}.new`)}
        </Button>
      </div>
      {search}
      {error ? <Failure error={error} onRetry={onRetry} /> : null}
      {!list && !error && <RowsLoading rows={2} />}
      {list?.total === 0 && <Empty text={none ?? t(`prices.none.${id}`)} icon="ticket" />}
      {list && list.records.length > 0 && (
        <ul className="cards">
          {list.records.map((record) => (
            <Card
              key={record.id}
              text={textOf(record)}
              onEdit={() => setEdited({ record })}
              onRemove={() => setRemoved(record)}
            />
          ))}
        </ul>
      )}
      {list && list.total_pages > 1 && <Pager page={page} list={list} onPage={onPage} />}
      {edited && dialog(edited.record, () => setEdited(undefined))}
      {removed && (
        <Removal id={removed.id} path={path} name={textOf(removed).name} onClose={() => setRemoved(undefined)} />
      )}
    </section>
  );
}

interface CardProps {
  text: PriceText;
  onEdit: () => void;
  onRemove: () => void;
}

const Card = ({ text: { name, detail }, onEdit, onRemove }: CardProps) => (
  <li className="card">
    <div>
      <strong className="clamped">{name}</strong>
      <p className="soft">{detail}</p>
    </div>
    <div className="card-acts">
      <Button aria-label={t('prices.edit_of', { name })} onPress={onEdit}>
        {t('prices.edit')}
      </Button>
      <Button aria-label={t('prices.remove_of', { name })} onPress={onRemove}>
        {t('prices.remove')}
      </Button>
    </div>
  </li>
);

interface RemovalProps {
  id: number;
  path: SectionProps<Named>['path'];
  name: string;
  onClose: () => void;
}

function Removal({ id, path, name, onClose }: RemovalProps) {
  return (
    <RemovalDialog
      title={t('prices.remove_of', { name })}
      action={t('prices.remove')}
      done={t('prices.removed', { name })}
      remove={() => call(`DELETE ${path}/{id}`, { id })}
      path={path}
      onClose={onClose}
    >
      <p>{t('prices.remove.text')}</p>
    </RemovalDialog>
  );
}

function TaxRates() {
  const [page, setPage] = useState(1);
  const input = { page, per_page: PER_PAGE };
  const { data, error, refetch } = useQuery(read('GET /admin/v1/tax-rates', input, { keepsPrevious: true }));
  if (data && page > 1 && page > data.total_pages) setPage(Math.max(1, data.total_pages));
  return (
    <Section
      id="tax_rates"
      path="/admin/v1/tax-rates"
      list={data && { ...data, records: data.tax_rates }}
      page={page}
      onPage={setPage}
      error={error}
      onRetry={() => void refetch()}
      textOf={taxRateText}
      dialog={(rate, onClose) => <TaxRateDialog rate={rate} onClose={onClose} />}
    />
  );
}

function Fees() {
  const { currency } = useSite();
  const [page, setPage] = useState(1);
  const input = { page, per_page: PER_PAGE };
  const { data, error, refetch } = useQuery(read('GET /admin/v1/fees', input, { keepsPrevious: true }));
  if (data && page > 1 && page > data.total_pages) setPage(Math.max(1, data.total_pages));
  const rates = useQuery(read('GET /admin/v1/tax-rates', ALL)).data?.tax_rates ?? [];
  return (
    <Section
      id="fees"
      path="/admin/v1/fees"
      list={data && { ...data, records: data.fees }}
      page={page}
      onPage={setPage}
      error={error}
      onRetry={() => void refetch()}
      textOf={(fee) => feeText(fee, currency)}
      dialog={(fee, onClose) => <FeeDialog fee={fee} rates={rates} onClose={onClose} />}
    />
  );
}

function Promotions() {
  const { currency } = useSite();
  const [page, setPage] = useState(1);
  const [search, setSearch] = useState('');
  const input = { page, per_page: PER_PAGE, ...(search && { search }) };
  const { data, error, refetch } = useQuery(read('GET /admin/v1/promotions', input, { keepsPrevious: true }));
  if (data && page > 1 && page > data.total_pages) setPage(Math.max(1, data.total_pages));
  const find = (text: string) => {
    setSearch(text);
    setPage(1);
  };
  const isSearched = search !== '' || (data?.total_pages ?? 0) > 1;
  return (
    <Section
      id="promotions"
      path="/admin/v1/promotions"
      list={data && { ...data, records: data.promotions }}
      page={page}
      onPage={setPage}
      error={error}
      onRetry={() => void refetch()}
      search={isSearched && <SearchBox label={t('prices.search')} value={search} onChange={find} />}
      {...(search && { none: t('prices.none_found') })}
      textOf={(promotion) => promotionText(promotion, currency)}
      dialog={(promotion, onClose) => <PromotionDialog promotion={promotion} onClose={onClose} />}
    />
  );
}
