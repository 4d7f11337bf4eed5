import { expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { formatYears, ONLINE } from '../../cli/publishing-workspace.ts';
import { COMMAND, ROOT } from '../../support/run-tenor.ts';
import { createTempFolder } from '../../support/store.ts';

setDefaultTimeout(120_000);

const QUOTED_COMMAND = COMMAND.map((word) => `'${word}'`).join(' ');

/** Runs a script in a folder that is a small file system of its own, which no other process sees. */
function runOnSmallDisk(script: string) {
  const lines = [
    'set -e; mount -t tmpfs -o size=4m tmpfs "$disk"',
    `tenor() { ${QUOTED_COMMAND} "$@"; }`,
    'export DATABASE_URL="sqlite:$disk/x.db" SAMPLE_DATA=off PORT=0',
    'get_id() { grep -o "tk_[0-9a-f]*" | tail -1; }',
    'fill() { dd if=/dev/zero of="$disk/fill" bs=4k 2>/dev/null || true; }',
    'tenor migrate >/dev/null; set +e',
    script,
  ];
  const shell = ['unshare', ...USER_NAMESPACE, '--mount', 'bash', '-c', lines.join('\n')];
  const disk = createTempFolder();
  const { stdout, stderr } = Bun.spawnSync(shell, { cwd: ROOT, env: { ...process.env, disk } });
  rmSync(disk, { recursive: true });
  return { out: stdout.toString(), err: stderr.toString() };
}

/** Other users than root may mount something in a namespace of theirs, where the system allows it. */
const USER_NAMESPACE = process.getuid?.() === 0 ? [] : ['--map-root-user'];
const canMount =
  Bun.which('unshare') !== null &&
  Bun.spawnSync([
    ...['unshare', ...USER_NAMESPACE, '--mount', 'sh', '-c'],
    'mount -t tmpfs -o size=64k tmpfs /tmp',
  ]).exitCode === 0;
if (!canMount) console.warn('The tests of full disks are skipped: no file system can be mounted.');
const testMounted = test.if(canMount);

testMounted(
  'a token is revoked on a full disk, with and without a server; the next one as well',
  () => {
    const { out, err } = runOnSmallDisk(`
    first=$(tenor token create --name a --json | get_id)
    second=$(tenor token create --name b --json | get_id)
    fill
    tenor token create --name c; echo "created: $?"
    tenor token revoke "$first"; echo "revoked: $?"
    rm "$disk/fill" "$disk"/x.db-shm "$disk"/x.db-wal 2>/dev/null
    touch "$disk/out"
    # A function would be another process, and the server its child.
    ${QUOTED_COMMAND} serve >"$disk/out" 2>/dev/null & server=$!
    until grep -q openapi "$disk/out"; do sleep 0.1; done
    fill
    secret=$(cat "$disk/x.db.private/local-token"); url=$(grep -o 'http://[0-9.:]*' "$disk/out" | head -1)
    ask() { curl -s -o /dev/null -w '%{http_code}\\n' -H "Authorization: Bearer $secret" "$url/2.0/bnb/quote"; }
    ask
    tenor token revoke "$second"; echo "revoked: $?"
    tenor token revoke "$(tenor token list | grep local | get_id)"; echo "revoked: $?"
    for _ in $(seq 100); do [ "$(ask)" = 401 ] && break; sleep 0.1; done
    ask
    kill $server; wait $server`);
    expect(out).toMatch(
      /^created: 5\nRevoked tk_\w+ \(a\).\nrevoked: 0\n200\nRevoked tk_\w+ \(b\).\nrevoked: 0\nRevoked tk_\w+ \(local\).\nrevoked: 0\n401\n$/,
    );
    expect(err).toMatch(/^tenor: cannot use .*x\.db.* the file system of .*x\.db\S* is full\n$/);
  },
);

testMounted(
  'a token is revoked on a full disk if the reserve was not copied along: a server makes it again when it starts, and says where it is missing',
  () => {
    const { out, err } = runOnSmallDisk(`
    get_size() { stat -c %s "$disk/x.db.private/tokens-reserve"; }
    first=$(tenor token create --name a --json | get_id)
    second=$(tenor token create --name b --json | get_id)
    rm "$disk/x.db.private/tokens-reserve"; touch "$disk/out"
    ${QUOTED_COMMAND} serve >"$disk/out" 2>/dev/null & server=$!
    until grep -q openapi "$disk/out"; do sleep 0.1; done
    url=$(grep -o 'http://[0-9.:]*' "$disk/out" | head -1)
    get_size; curl -s "$url/ready"; echo
    fill
    tenor token revoke "$first"; echo "revoked: $?"
    rm "$disk/x.db.private/tokens-reserve"; fill
    curl -s "$url/ready"; echo
    tenor token revoke "$second"; echo "revoked: $?"
    kill $server; wait $server; rm "$disk/fill"
    tenor check >/dev/null; echo "checked: $?"; tenor token list | grep -c revoked`);
    expect(err).toBe('');
    expect(out).toMatch(
      /^262144\n\{"status":"ready","revision":0\}\nRevoked tk_\w+ \(a\).\nrevoked: 0\n\{"status":"ready","revision":0,"warnings":\["reserve_missing"\]\}\nRevoked tk_\w+ \(b\).\nrevoked: 0\nchecked: 0\n2\n$/,
    );
  },
);

testMounted(
  'an export or a backup on a full disk names the cause, and leaves the old file and no other',
  () => {
    const { out, err } = runOnSmallDisk(`
    printf '${formatYears({ 2023: 5 }).replaceAll('\n', '\\n')}' > "$disk/a.csv"
    tenor load ${ONLINE} "$disk/a.csv" >/dev/null
    cd "$disk"; echo old > out.csv
    fill
    tenor export ${ONLINE} -o out.csv --replace; echo "export: $?"; cat out.csv
    tenor backup copy.db; echo "backup: $?"
    printf '${formatYears({ 2024: 5 }).replaceAll('\n', '\\n')}' > /dev/shm/b-$$.csv
    tenor load ${ONLINE} /dev/shm/b-$$.csv; echo "load: $?"; rm /dev/shm/b-$$.csv
    ls -A | grep -v '^x.db\\|fill'; rm fill; tenor revisions | wc -l`);
    expect(out).toBe('export: 1\nold\nbackup: 1\nload: 1\na.csv\nout.csv\n2\n');
    const lines = err.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines)
      expect(line).toMatch(/^tenor: cannot .* the file system of .* is full$/);
  },
);

testMounted(
  'guesses of tokens leave an audit log its space, and lines that the full disk has cut are told from others',
  () => {
    const { out, err } = runOnSmallDisk(`
      mkdir "$disk/log"; mount -t tmpfs -o size=256k tmpfs "$disk/log"
      export AUDIT_LOG="$disk/log/audit.log" API_TOKEN=token-for-the-tests
      ${QUOTED_COMMAND} serve >"$disk/out" 2>&1 & server=$!
      until grep -q openapi "$disk/out"; do sleep 0.1; done
      url=$(grep -o 'http://[^/ ]*' "$disk/out" | head -1)
      statuses() { curl -s -o /dev/null -w '%{http_code}\\n' "$@" | sort | uniq -c; }
      echo guesses; statuses -H 'Authorization: Bearer wrong' "$url/3.0/funds?limit=[1-900]"
      echo reads; read=(-H "Authorization: Bearer $API_TOKEN")
      statuses "\${read[@]}" "$url/3.0/funds?limit=1"
      dd if=/dev/zero of="$disk/log/fill" bs=4k 2>/dev/null
      echo full; statuses "\${read[@]}" "$url/3.0/funds?limit=[1-100]"
      rm "$disk/log/fill"
      echo again; statuses "\${read[@]}" "$url/3.0/funds?limit=[1-20]"
      kill $server; wait $server
      tenor check --audit "$AUDIT_LOG"; echo "status $?"
      grep -o '"event":"refusals","count":[0-9]*' "$AUDIT_LOG"`);
    expect(err).toBe('');
    expect(out.replaceAll(/ +/g, ' ')).toMatch(
      new RegExp(
        [
          '^guesses\\n 900 401\\nreads\\n 1 200\\nfull\\n( \\d+ 200\\n)? \\d+ 503\\nagain\\n 20 200',
          'Warning: \\S+, line \\d+: cut off, as by a full disk or a kill',
          'Checked \\d+ lines of 1 chain in 1 file: 0 faults, 1 warning\\.',
          'status 0',
          '"event":"refusals","count":[1-9]\\d*\\n$',
        ].join('\\n'),
      ),
    );
  },
);

testMounted('a mirror on a full disk names the cause, and is complete once there is space', () => {
  const years = formatYears(Object.fromEntries(Array.from(Array(500), (_, n) => [1500 + n, n])));
  const { out, err } = runOnSmallDisk(`
    printf '${years.replaceAll('\n', '\\n')}' > "$disk/a.csv"
    tenor load ${ONLINE} "$disk/a.csv" >/dev/null
    mkdir "$disk/m"; mount -t tmpfs tmpfs "$disk/m"
    for size in 4k 40k 44k 4m; do
      mount -o remount,size=$size "$disk/m"; tenor mirror "$disk/m" >/dev/null; echo $?
    done
    tenor mirror "$disk/m" --check >/dev/null; echo $?; ls -A "$disk/m"`);
  expect(out).toBe('1\n1\n1\n0\n0\nchanges\ndata\nlatest.json\nledger\nrevisions\n');
  const lines = err.trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines)
    expect(line).toMatch(/^tenor: .*: cannot write .*: the file system of \S+ is full$/);
});

testMounted('a read-only file system is named as the cause', () => {
  const { out, err } = runOnSmallDisk(`
    mount -o remount,ro "$disk"
    tenor serve; echo $?
    tenor token revoke tk_1; echo $?
    tenor load ${ONLINE} /dev/null; echo $?
    DATABASE_URL="sqlite:$disk/new.db" tenor migrate; echo $?
    mount -o remount,rw "$disk"; tenor token create --name a >/dev/null; cd "$disk"
    mkdir copies; mount -t tmpfs -o ro tmpfs copies
    tenor export ${ONLINE} -o copies/a.csv; echo $?
    tenor backup copies/x.db; echo $?`);
  expect(out).toBe('1\n1\n1\n1\n1\n1\n');
  const lines = err.trimEnd().split('\n');
  expect(lines).toHaveLength(6);
  for (const line of lines) expect(line).toMatch(/: the file system of \S+ is read-only$/);
});

test.if(canMount && USER_NAMESPACE.length === 0)(
  'a file that the user may not write is named as the cause',
  () => {
    const { out, err } = runOnSmallDisk(`
    as_other() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
    tenor() { as_other ${QUOTED_COMMAND} "$@"; }
    tenor load ${ONLINE} /dev/null; echo $?
    chmod 777 "$disk" "$disk/x.db.private"; chmod 666 "$disk/x.db"; mkdir "$disk/root"
    tenor export ${ONLINE} -o "$disk/root/a.csv"; echo $?`);
    expect(out).toBe('1\n1\n');
    const lines = err.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/: this user has no permission to write \/\S+$/);
  },
);

testMounted(
  'a load that has no room for the digests of its changes says which file system is full, and leaves no file',
  () => {
    const { out, err } = runOnSmallDisk(`
    cat > "$disk/add.ts" <<'END'
    import { SortedDigests } from '${ROOT}/src/store/sorted-digests.ts';
    const digests = new SortedDigests(process.env.disk, 4096);
    for (let index = 0; index < 4096; index++) digests.add(Buffer.alloc(32));
END
    fill; ${QUOTED_COMMAND.split(' ')[0]} "$disk/add.ts"; echo "added: $?"; rm "$disk/fill"
    ls -A "$disk" | grep -c tenor-draft`);
    expect(out).toBe('added: 1\n0\n');
    expect(err).toMatch(/cannot use a temporary file: the file system of \S+ is full/);
  },
);
