import { t } from '../../i18n/texts.ts';
import './sold-bar.css';

interface SoldBarProps {
  sold: number;
  /** Negative without a limit. */
  capacity: number;
  /** Name of the bar for screen readers. */
  label: string;
}

/** Sold places of a capacity, in words and as a bar. */
export function SoldBar({ sold, capacity, label }: SoldBarProps) {
  if (capacity < 0)
    return (
      <span className="sold-bar">
        <strong>{sold}</strong> <span className="soft">{t('sold.unlimited')}</span>
      </span>
    );
  return (
    <span className="sold-bar">
      <span>{t('sold.of', { sold, capacity })}</span>
      <progress value={Math.min(sold, capacity)} max={Math.max(capacity, 1)} aria-label={label} />
    </span>
  );
}
