interface CountProps {
  figure: number;
  /** The figure with what it counts. */
  text: string;
}

/** A figure below the heading of its column, and on a card, which has none, with what it counts. */
export const Count = ({ figure, text }: CountProps) => (
  <>
    <span className="only-table">{figure}</span>
    <span className="only-card">{text}</span>
  </>
);
