import { Checkbox } from 'react-aria-components/Checkbox';
import { GridList, GridListItem, type Selection } from 'react-aria-components/GridList';
import type { Media } from '../../../../packages/client/src/marquee-client.ts';
import { Icon } from '../../ui/icon.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { t, thumbnailOf } from './pictures.ts';
import './pictures.css';

interface PictureGridProps {
  label: string;
  pictures: readonly Media[];
  /** Called by Enter and by a click. */
  onOpen: (picture: Media) => void;
  /** Ids of the selected pictures; without it, none can be selected. */
  selected?: ReadonlySet<number>;
  onSelect?: (ids: ReadonlySet<number>) => void;
}

/** The picture that has the focus. */
const focusedId = () => Number(document.activeElement?.closest<HTMLElement>('.picture')?.dataset.key);

/** Pictures side by side. Arrow keys go through them; space and `x` select. */
export function PictureGrid({ label, pictures, onOpen, selected, onSelect }: PictureGridProps) {
  const select = (keys: Selection) =>
    onSelect?.(new Set(keys === 'all' ? pictures.map(({ id }) => id) : [...keys].map(Number)));
  const toggle = (id: number) => {
    if (!selected || !pictures.some((one) => one.id === id)) return;
    const others = [...selected].filter((one) => one !== id);
    onSelect?.(new Set(selected.has(id) ? others : [...others, id]));
  };
  useShortcut('x', t('keys.select'), () => toggle(focusedId()), { isOn: selected !== undefined });
  return (
    <GridList
      aria-label={label}
      layout="grid"
      // Letters are shortcuts.
      disallowTypeAhead
      className="pictures"
      items={pictures}
      selectionMode={selected ? 'multiple' : 'none'}
      selectedKeys={selected ? new Set(selected) : new Set<number>()}
      onSelectionChange={select}
      onAction={(key) => {
        const picture = pictures.find(({ id }) => id === Number(key));
        if (picture) onOpen(picture);
      }}
    >
      {(picture) => (
        <GridListItem id={picture.id} textValue={picture.title} className="picture">
          {selected && (
            <Checkbox slot="selection" className="checkbox">
              <span className="checkbox-box">
                <Icon name="check" />
              </span>
            </Checkbox>
          )}
          <img src={thumbnailOf(picture)} alt={picture.alt ?? ''} loading="lazy" />
          <span className="picture-title">{picture.title}</span>
        </GridListItem>
      )}
    </GridList>
  );
}
