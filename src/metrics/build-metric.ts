import { buildFamily, type MetricFamily, type SampleInput } from './metric-family.ts';

/** Help texts of all counters and gauges, by how the values of several processes are merged. */
const HELP = {
  sum: {
    http_server_active_requests: 'Requests that are being answered, streams of /events among them.',
    process_cpu_seconds_total: 'Processor time of all processes, in seconds.',
    process_heap_bytes: 'JavaScript heap in use, of all processes.',
    process_open_fds: 'Open file descriptors.',
    process_resident_memory_bytes: 'Resident memory, summed over all processes.',
    tenor_background_jobs:
      'Long work of requests, such as large pages, that runs or waits for its turn.',
    tenor_event_streams: 'Open streams of /events.',
    tenor_http_errors_total:
      'Responses with an error, by its code; the two of funds have status 200.',
    tenor_http_response_bytes_total: 'Bytes of response bodies, after compression.',
    tenor_log_lines_dropped_total: 'Log lines that were left out while nobody read the log.',
    tenor_response_cache_requests_total:
      'Responses with data that were in the cache (hit), or had to be created (miss).',
    tenor_scrub_records_total: 'Records that scrubs have checked.',
    tenor_worker_restarts_total: 'Processes that ended unexpectedly and were replaced.',
  },
  min: {
    process_start_time_seconds: 'When the service was started, in seconds since 1970.',
    tenor_database_disk_free_bytes:
      'What is left for the user of the service on the file system of the SQLite file.',
    tenor_dataset_due_timestamp_seconds:
      'From when on the next data of a dataset is due, in seconds since 1970.',
    tenor_dataset_newest_date_timestamp_seconds:
      'The newest date in a dataset, or the last day of its newest period, at its start in UTC, in seconds since 1970.',
    tenor_store_server_up:
      'Whether a database server, or a worker of a cluster, answers (1) or not (0).',
    tenor_store_up: 'Whether the database can be read (1) or not (0), by every process.',
    tenor_tls_certificate_expiry_timestamp_seconds:
      'When the certificate in use expires, in seconds since 1970; absent without TLS.',
  },
  max: {
    tenor_build_info: 'What runs; always 1.',
    tenor_database_disk_size_bytes: 'Size of the file system of the SQLite file.',
    tenor_database_file_bytes: 'Size of the SQLite file, and of its write-ahead log.',
    tenor_dataset_damaged:
      'A dataset that requests get 503 for, because it is damaged: 1; absent otherwise.',
    tenor_dataset_late_seconds: 'For how long data of a dataset has been due; 0 until it is late.',
    tenor_dataset_published_timestamp_seconds:
      'When a dataset was last changed, in seconds since 1970.',
    tenor_dataset_records: 'Current records of a dataset.',
    tenor_dataset_revision: 'The last revision that changed a dataset; 0 before the first.',
    tenor_follow_compared_timestamp_seconds:
      'When what is stored was last compared with the source that it follows, in seconds since 1970.',
    tenor_follow_lag_revisions: 'Revisions that the source had then, and that are not stored yet.',
    tenor_follow_state: 'How a server that follows another one is: 1 for the state that holds.',
    tenor_http_connections: 'Open connections of clients.',
    tenor_revision: 'The newest revision.',
    tenor_scrub_faults: 'Faults that the last scrub of the database found.',
    tenor_scrub_finished_timestamp_seconds:
      'When the last complete scrub ended, in seconds since 1970; absent before the first.',
    tenor_store_server_condition:
      'The condition of a database server, as the log names it: 1 for the one that holds.',
    tenor_store_server_lag_revisions:
      'Revisions that a database server has not got yet; absent while it does not answer.',
    tenor_workers: 'Processes that serve.',
    tenor_workers_unresponsive: 'Processes that did not report in time: their gauges are missing.',
  },
};

type MetricName = { [Rule in keyof typeof HELP]: keyof (typeof HELP)[Rule] }[keyof typeof HELP];

const DESCRIPTIONS = new Map(
  Object.entries(HELP).flatMap(([merge, metrics]) =>
    Object.entries(metrics).map(([name, help]) => [name, { name, help, merge }]),
  ),
) as ReadonlyMap<MetricName, Parameters<typeof buildFamily>[0]>;

/** A counter or gauge with these values; omitted without values. */
export function buildMetric(name: MetricName, values: SampleInput | undefined): MetricFamily {
  const description = DESCRIPTIONS.get(name) as Parameters<typeof buildFamily>[0];
  return buildFamily(description, values ?? []);
}
