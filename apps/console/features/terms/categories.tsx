import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { language } from '../../i18n/texts.ts';
import { RecentMerges } from '../../shared/merging/merge-notices.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Empty, LoadedList } from '../../ui/states.tsx';
import { FilterBar, SearchBox } from '../../ui/table/filter-bar.tsx';
import { CategoryTree } from './category-tree.tsx';
import { t } from './routes.ts';
import { ProbableDuplicates, TermActionsBar, useTermActions } from './term-actions.tsx';
import { readTree, TERM_ORDERS, type TermOrder, type TermRow } from './terms.ts';
import { comparing, flat, found, treeOf } from './tree.ts';
import './terms.css';

const route = getRouteApi('/categories');

/** Number of categories above which the tree is collapsed. */
const MOST_OPEN = 60;

/** The categories of the site. */
export function Screen() {
  const { search = '', sort = 'name', open } = route.useSearch();
  const navigate = route.useNavigate();
  const actions = useTermActions('categories');
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const list = useQuery(readTree());
  const show = (next: { search?: string; sort?: TermOrder; open?: number | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...next }) });
  const rows = list.data?.rows ?? [];
  return (
    <Page
      title={t('categories.title')}
      actions={
        actions.mayWrite && (
          <Button look="primary" icon="plus" onPress={() => actions.start({ kind: 'new', parent: 0 })}>
            {t('new.categories')}
          </Button>
        )
      }
    >
      <RecentMerges kind="categories" />
      <ProbableDuplicates taxonomy="categories" actions={actions} />
      <LoadedList query={list} empty={<Empty text={t('categories.none')} icon="category" />}>
        {(data) => (
          <>
            <FilterBar>
              <SearchBox
                label={t('search')}
                value={search}
                onChange={(next) => {
                  setSelected(new Set());
                  show({ search: next });
                }}
              />
            </FilterBar>
            {rows.length < data.total && <p className="hint">{t('categories.most', { count: rows.length })}</p>}
            <Categories
              rows={rows}
              search={search}
              sort={sort}
              onSort={(next) => show({ sort: next })}
              selection={actions.mayWrite ? { selected, onSelect: setSelected } : undefined}
              onOpen={(id) => show({ open: id })}
            />
          </>
        )}
      </LoadedList>
      {actions.mayWrite && (
        <TermActionsBar
          taxonomy="categories"
          actions={actions}
          rows={rows}
          selected={rows.filter(({ id }) => selected.has(id))}
          onClear={() => setSelected(new Set())}
          open={open}
          onOpen={(id) => show({ open: id })}
        />
      )}
    </Page>
  );
}

interface CategoriesProps {
  rows: readonly TermRow[];
  search: string;
  sort: TermOrder;
  onSort: (order: TermOrder) => void;
  selection: Parameters<typeof CategoryTree>[0]['selection'];
  onOpen: (id: number) => void;
}

/** The tree; a search expands the ancestors of its matches. */
function Categories({ rows, search, sort, onSort, selection, onOpen }: CategoriesProps) {
  const whole = treeOf(rows, comparing(sort, language));
  const parents = flat(whole).filter(({ children }) => children.length > 0);
  const all = new Set(parents.map(({ id }) => id));
  const [chosen, setChosen] = useState<ReadonlySet<number>>();
  const expanded = chosen ?? (rows.length > MOST_OPEN ? new Set<number>() : all);
  const nodes = found(whole, search);
  const isSearch = search.trim() !== '';
  const count = flat(nodes).filter(({ isFound }) => isFound).length;
  return (
    <>
      <div className="tree-head">
        <p role="status">{t(isSearch ? 'categories.found' : 'categories.count', { count })}</p>
        <SortField value={sort} onChange={onSort} />
        {!isSearch && parents.length > 0 && (
          <Button look="plain" onPress={() => setChosen(expanded.size > 0 ? new Set() : all)}>
            {t(expanded.size > 0 ? 'tree.close' : 'tree.open')}
          </Button>
        )}
      </div>
      {nodes.length === 0 && <Empty text={t('none_found')} />}
      {nodes.length > 0 && (
        <CategoryTree
          nodes={nodes}
          expanded={isSearch ? new Set(flat(nodes).map(({ id }) => id)) : expanded}
          onExpand={(ids) => !isSearch && setChosen(ids)}
          selection={selection}
          onOpen={onOpen}
        />
      )}
    </>
  );
}

interface SortFieldProps {
  value: TermOrder;
  onChange: (order: TermOrder) => void;
}

/** Sort control; the tree has no column headings. */
function SortField(props: SortFieldProps) {
  return (
    <div className="inline-field">
      <SelectField
        label={t('sort')}
        choices={TERM_ORDERS.map((value) => ({ value, label: t(`sort.${value}`) }))}
        {...props}
      />
    </div>
  );
}
