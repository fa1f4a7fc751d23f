// Keeps the page current: asks the daemon every second or two, and shows what it answers.

import { ranges } from './plot.js';
import { onOtherRows, showServices } from './services.js';

const STATUS_EVERY = 2000;
const EVENTS_EVERY = 1000;
const LATENCIES_EVERY = 2000;
const KEPT = 500;
const LONGEST = 300;
const WORDS = { healthy: 'good', degraded: 'warn', failed: 'bad' };

const $ = (id) => document.getElementById(id);
const failures = new Map();
let next = 'since-3600';

/** Asks the daemon; its refusals become errors with what it said. */
async function ask(path) {
  const answer = await fetch(path, { signal: AbortSignal.timeout(10000) });
  if (!answer.ok) {
    throw new Error((await answer.text()).trim());
  }
  return answer;
}

function element(name, text, kind = '') {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = kind;
  return made;
}

function cells(...texts) {
  const row = document.createElement('tr');
  row.append(...texts.map((text) => element('td', text)));
  return row;
}

/** Repeats work, with a pause after each end, and says what cannot be had until it can. */
async function every(pause, what, work) {
  for (;;) {
    try {
      await work();
      failures.delete(what);
    } catch (error) {
      failures.set(what, `${what}: ${error.message}`);
    }
    $('offline').textContent = failures.size ? `Old, because the daemon does not answer: ${[...failures.values()].join('; ')}` : '';
    $('offline').hidden = failures.size === 0;
    await new Promise((done) => setTimeout(done, pause));
  }
}

async function showStatus() {
  const status = await (await ask('api/status')).json();
  const word = status.health;
  $('node').textContent = status.node;
  $('health').textContent = word;
  $('health').className = WORDS[word] ?? '';
  $('source').textContent = `${status.source.kind} · ${status.source.services} Services · version ${status.version}`;
  $('source').title = status.source.place;
  document.title = `${word === 'healthy' ? '' : '● '}${status.node} · dualstackd`;
  $('reasons').replaceChildren(...status.reasons.map((each) => element('li', each.text, 'warn')));
  $('families').replaceChildren(family(status.families));
  $('addresses').tBodies[0].replaceChildren(...status.nodeAddresses.map((each) => cells(each.type, each.address, each.reason)));
  $('notes').replaceChildren(...[...status.hostNotes, ...status.problems.map((each) => `${each.object}: ${each.value} ${each.rule}`)]
    .slice(0, 20).map((each) => element('p', each, 'quiet')));
}

function family(families) {
  const table = document.createElement('table');
  const head = table.createTHead().insertRow();
  for (const title of ['Family', 'State', 'Mode', 'Services', 'Endpoints', 'Median', '99 %', 'Repairs']) {
    const cell = element('th', title);
    cell.scope = 'col';
    head.append(cell);
  }
  const body = table.createTBody();
  for (const each of families) {
    const ms = (time) => (time === undefined ? '–' : `${time.toFixed(1)} ms`);
    const row = cells(each.family, each.phase, each.mode, each.objects.services, each.objects.endpoints,
      ms(each.latency?.medianMs), ms(each.latency?.p99Ms), each.totals.repairs);
    row.dataset.family = each.family;
    body.append(row);
    if (each.error) {
      const cell = body.insertRow().insertCell();
      cell.colSpan = 8;
      cell.className = 'bad';
      cell.textContent = `${each.error.what}: ${each.error.said}; next: ${each.error.next}`;
    }
  }
  return table;
}

async function showEvents() {
  if ($('pause').checked) {
    // The daemon keeps them meanwhile, as many as it can.
    return;
  }
  const answer = await (await ask(`api/events?from=${next}`)).json();
  next = answer.next;
  for (const line of answer.lines) {
    const event = JSON.parse(line);
    const at = Date.parse(event.time);
    showEvent(event, at);
  }
  if (answer.lost > 0) {
    $('events').prepend(element('li', `${answer.lost} lines are lost: they came faster than the page asked`, 'warn'));
  }
}

function showEvent(event, at) {
  const line = element('li', '', { ERROR: 'bad', WARN: 'warn', DEBUG: 'quiet' }[event.level] ?? '');
  const moment = element('time', new Date(at).toLocaleTimeString());
  moment.dateTime = new Date(at).toISOString();
  const said = `${event.logger}  ${event.msg}  ${Object.entries(event.fields ?? {}).map(([key, value]) => `${key}=${value}`).join(' ')}`;
  line.append(moment, said.length > LONGEST ? `${said.slice(0, LONGEST)}…` : said);
  line.title = said;
  $('events').prepend(line);
  while ($('events').childElementCount > KEPT) {
    $('events').lastElementChild.remove();
  }
}

async function showLatencies() {
  const answer = await (await ask('api/latencies')).json();
  const shown = answer.families.flatMap(({ family, slots }) => slots.map((slot) => {
    const [least, most] = [slot.shortestMs.toFixed(1), slot.longestMs.toFixed(1)];
    const took = least === most ? `${most} ms` : `${least} to ${most} ms`;
    return { at: slot.atMillis, least: slot.shortestMs, most: slot.longestMs, what: `${family}  ${slot.changes} changes, ${took}`, ...slot };
  }));
  if (shown.length) {
    const from = Math.min(...shown.map((each) => each.at), answer.atMillis - 60000);
    $('latency').replaceChildren(ranges(shown, from, answer.atMillis));
    const count = shown.reduce((sum, each) => sum + each.changes, 0);
    $('latency-text').textContent = `${count} changes in the last hour, the slowest took ${Math.max(...shown.map((each) => each.most)).toFixed(1)} ms. Each line spans the changes of ten seconds in one family, from the fastest to the slowest.`;
  }
}

$('explain').addEventListener('submit', async (submitted) => {
  submitted.preventDefault();
  const query = new URLSearchParams({ source: $('explain-source').value.trim(), destination: $('explain-destination').value.trim() });
  try {
    $('explanation').textContent = await (await ask(`api/explain?${query}`)).text();
    $('explanation').className = '';
  } catch (error) {
    $('explanation').textContent = error.message;
    $('explanation').className = 'bad';
  }
});

$('search').addEventListener('submit', (submitted) => submitted.preventDefault());

document.addEventListener('keydown', (key) => {
  if (key.ctrlKey || key.metaKey || key.altKey) {
    return;
  }
  if (key.key === 'Escape') {
    document.activeElement?.blur();
  } else if (!['INPUT', 'TEXTAREA'].includes(document.activeElement?.tagName)) {
    const to = { '/': 'filter', e: 'explain-destination' }[key.key];
    if (to) {
      key.preventDefault();
      $(to).focus();
    } else if (key.key === 'p') {
      $('pause').checked = !$('pause').checked;
    }
  }
});

onOtherRows(() => showServices(ask).catch(() => {}));
every(STATUS_EVERY, 'state', showStatus);
every(STATUS_EVERY, 'Services', () => showServices(ask));
every(EVENTS_EVERY, 'events', showEvents);
every(LATENCIES_EVERY, 'latencies', showLatencies);
