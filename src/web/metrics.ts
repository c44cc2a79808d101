/** Counts of this process, in the text format of Prometheus. */
export interface Metrics {
  /** One answered request, and the seconds it took. */
  observe(status: number, seconds: number): void;
  render(): string;
}

/** Upper bounds of the classes of duration, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const byStatus = new Map<string, number>();
  const classes = BOUNDS.map(() => 0);
  let count = 0;
  let sum = 0;
  return {
    observe(status, seconds) {
      const group = `${Math.floor(status / 100)}xx`;
      byStatus.set(group, (byStatus.get(group) ?? 0) + 1);
      count += 1;
      sum += seconds;
      for (const [index, bound] of BOUNDS.entries()) if (seconds <= bound) classes[index] = (classes[index] ?? 0) + 1;
    },
    render() {
      const { rss, heapUsed } = process.memoryUsage();
      return [
        ...described('marquee_http_requests_total', 'counter', 'Answered requests by class of status.'),
        ...[...byStatus].sort().map(([group, number]) => `marquee_http_requests_total{status="${group}"} ${number}`),
        ...described('marquee_http_request_duration_seconds', 'histogram', 'Time to the answer.'),
        ...BOUNDS.map(
          (bound, index) => `marquee_http_request_duration_seconds_bucket{le="${bound}"} ${classes[index]}`,
        ),
        `marquee_http_request_duration_seconds_bucket{le="+Inf"} ${count}`,
        `marquee_http_request_duration_seconds_sum ${sum}`,
        `marquee_http_request_duration_seconds_count ${count}`,
        ...described('process_resident_memory_bytes', 'gauge', 'Memory of the process.'),
        `process_resident_memory_bytes ${rss}`,
        ...described('nodejs_heap_size_used_bytes', 'gauge', 'Heap in use.'),
        `nodejs_heap_size_used_bytes ${heapUsed}`,
        ...described('process_uptime_seconds', 'gauge', 'Seconds since the start.'),
        `process_uptime_seconds ${process.uptime()}`,
        '',
      ].join('\n');
    },
  };
}

const described = (name: string, type: string, help: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];
