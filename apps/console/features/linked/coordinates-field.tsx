import { TextField } from '../../ui/fields.tsx';
import { coordinatesText, isLink, readCoordinates } from './coordinates.ts';
import { t } from './routes.ts';

interface CoordinatesFieldProps {
  value: string;
  onChange: (value: string) => void;
  problem: string | undefined;
}

/** Field for coordinates: typed, or pasted as a link of a map, which is reduced to its point. */
export function CoordinatesField({ value, onChange, problem }: CoordinatesFieldProps) {
  const point = readCoordinates(value);
  // Typed input may become valid; a pasted link will not.
  const refused = typeof point === 'string' && isLink(value) ? t(`coordinates.${point}`) : undefined;
  const change = (typed: string) => {
    const pasted = isLink(typed) ? readCoordinates(typed) : undefined;
    onChange(typeof pasted === 'object' ? coordinatesText(pasted) : typed);
  };
  return (
    <div>
      <TextField
        label={t('field.coordinates')}
        value={value}
        onChange={change}
        hint={t('coordinates.hint')}
        problem={problem ?? refused}
      />
      {typeof point === 'object' && (
        <a
          className="map-link"
          href={`https://www.openstreetmap.org/?mlat=${point.lat}&mlon=${point.lng}#map=17/${point.lat}/${point.lng}`}
          target="_blank"
          rel="noreferrer"
        >
          {t('coordinates.check')}
        </a>
      )}
    </div>
  );
}
