import { Button } from 'react-aria-components/Button';
import { Checkbox } from 'react-aria-components/Checkbox';
import { Collection } from 'react-aria-components/Collection';
import { type Key, Tree, TreeItem, TreeItemContent } from 'react-aria-components/Tree';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import { Icon, Swatch } from '../../ui/icon.tsx';
import { Languages } from './languages.tsx';
import { t } from './routes.ts';
import type { TermRow } from './terms.ts';
import { flat, type TreeNode } from './tree.ts';

interface CategoryTreeProps {
  nodes: readonly TreeNode[];
  expanded: ReadonlySet<number>;
  onExpand: (ids: ReadonlySet<number>) => void;
  /** Without it, nothing can be selected or opened. */
  selection: { selected: ReadonlySet<number>; onSelect: (ids: ReadonlySet<number>) => void } | undefined;
  onOpen: (id: number) => void;
}

const idsOf = (keys: Iterable<Key>): Set<number> => new Set([...keys].map(Number));

/** Pixels of a row on one line. */
const ROW = 52;

/** Categories as an indented tree. Only visible rows are rendered, so that hundreds are as fast as ten. */
export function CategoryTree({ nodes, expanded, onExpand, selection, onOpen }: CategoryTreeProps) {
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ estimatedRowHeight: ROW }}>
      <Tree
        className="tree"
        aria-label={t('categories.title')}
        items={nodes}
        selectionMode={selection ? 'multiple' : 'none'}
        selectedKeys={selection?.selected ?? []}
        onSelectionChange={(keys) =>
          selection?.onSelect(keys === 'all' ? idsOf(flat(nodes).map(({ id }) => id)) : idsOf(keys))
        }
        expandedKeys={expanded}
        onExpandedChange={(keys) => onExpand(idsOf(keys))}
        {...(selection && { onAction: (key: Key) => onOpen(Number(key)) })}
      >
        {(node) => <Branch node={node} isSelectable={selection !== undefined} />}
      </Tree>
    </Virtualizer>
  );
}

function Branch({ node, isSelectable }: { node: TreeNode; isSelectable: boolean }) {
  const { id, row, children, isFound } = node;
  return (
    <TreeItem id={id} textValue={row.term.name} className="tree-row">
      <TreeItemContent>
        {({ hasChildItems, isExpanded }) => (
          <div className={isFound ? 'tree-line' : 'tree-line soft'}>
            {isSelectable && (
              <Checkbox slot="selection" className="checkbox">
                <span className="checkbox-box">
                  <Icon name="check" />
                </span>
              </Checkbox>
            )}
            <span className="tree-chevron">
              {hasChildItems && (
                <Button slot="chevron">
                  <Icon name={isExpanded ? 'down' : 'right'} />
                </Button>
              )}
            </span>
            <span className="row-title">
              {row.term.color && <Swatch color={row.term.color} />} {row.term.name}
            </span>
            <span className="tree-meta">
              <Languages term={row.term} />
              <Counts row={row} />
            </span>
          </div>
        )}
      </TreeItemContent>
      <Collection items={children}>{(child) => <Branch node={child} isSelectable={isSelectable} />}</Collection>
    </TreeItem>
  );
}

/** Numbers of upcoming events and of all events with a term. */
function Counts({ row: { events, upcoming } }: { row: Pick<TermRow, 'events' | 'upcoming'> }) {
  return (
    <span className="term-counts">
      <span>{upcoming > 0 && t('upcoming.count', { count: upcoming })}</span>
      <span className="soft">{events > 0 ? t('events.count', { count: events }) : t('events.none')}</span>
    </span>
  );
}
