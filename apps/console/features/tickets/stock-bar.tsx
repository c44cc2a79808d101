import { t } from './routes.ts';
import './tickets.css';

interface StockBarProps {
  sold: number;
  held: number;
  /** Negative without a limit. */
  left: number;
  /** Seats within the ticket's limit that other tickets have taken. */
  blocked?: number;
}

/** Places as parts of one bar, and the same in words. */
export function StockBar({ sold, held, left, blocked = 0 }: StockBarProps) {
  const parts = [
    ['sold', sold],
    ['held', held],
    ['blocked', blocked],
    ['left', Math.max(left, 0)],
  ] as const;
  return (
    <div className="stock">
      <div className="stock-bar" aria-hidden="true">
        {parts.map(([name, places]) => places > 0 && <i key={name} className={name} style={{ flexGrow: places }} />)}
      </div>
      <p>
        {parts
          .filter(([name, places]) => name === 'sold' || places > 0 || (name === 'left' && left === 0))
          .map(([name, places]) => t(`stock.${name}`, { count: places }))
          .concat(left < 0 ? [t('stock.unlimited')] : [])
          .join(' · ')}
      </p>
    </div>
  );
}
