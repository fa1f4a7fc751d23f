// The list of Services: asks only for the rows in sight, and has only those in the document.

import { spark } from './plot.js';

const HEIGHT = 48;
const AROUND = 10;
const HISTORY = 60;

const list = document.getElementById('rows');
const room = document.getElementById('rows-room');
const filter = document.getElementById('filter');
const trouble = document.getElementById('trouble');

/** By name: the last counts, and connections per second before. */
const histories = new Map();

let asking = false;
let again = false;

function span(text, title = '', kind = '') {
  const element = document.createElement('span');
  element.textContent = text;
  element.title = title;
  element.className = kind;
  return element;
}

/** Notes the counts of a Service, and returns its connections per second over time. */
function history(name, service, at) {
  const before = histories.get(name);
  const rates = before ? before.rates : [];
  if (before && at > before.at) {
    rates.push(Math.max(0, ((service.connections - before.count) * 1000) / (at - before.at)));
    rates.splice(0, rates.length - HISTORY);
  }
  if (!before || at !== before.at) {
    histories.set(name, { at, count: service.connections, rates });
  }
  return rates;
}

function endpoints(service) {
  return [['IPv4', service.endpointsIpv4], ['IPv6', service.endpointsIpv6]]
    .filter(([, count]) => count !== undefined)
    .map(([family, count]) => `${family} ${count}`)
    .join(', ');
}

function row(service, index, answer) {
  const name = `${service.namespace}/${service.name}`;
  const element = document.createElement('div');
  element.className = 'row';
  element.role = 'listitem';
  element.dataset.service = name;
  element.setAttribute('aria-setsize', answer.matching);
  element.setAttribute('aria-posinset', index + 1);
  element.style.top = `${index * HEIGHT}px`;
  const frontends = service.frontends.map((each) => each.frontend).join('  ');
  const traffic = span('');
  if (service.connections !== undefined) {
    const rates = history(name, service, answer.atMillis);
    const now = rates.length ? rates[rates.length - 1].toFixed(1) : '0.0';
    const lost = service.refused + service.dropped;
    traffic.textContent = `${now}/s, ${service.connections} in all${lost ? `, ${lost} refused or dropped` : ''}`;
    traffic.append(spark(rates, HISTORY));
  }
  element.append(
    span(name, name),
    span(frontends, service.frontends.map((each) => `${each.frontend}  ${each.type}  ${each.state}`).join('\n')),
    span(endpoints(service)),
    span(service.state, service.state, service.state === 'ok' ? 'good' : 'bad'),
    traffic);
  return element;
}

/** Asks for the rows in sight, and shows them. */
export async function showServices(ask) {
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  try {
    do {
      again = false;
      const from = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - AROUND);
      const count = Math.ceil(list.clientHeight / HEIGHT) + 2 * AROUND;
      const query = new URLSearchParams({ filter: filter.value, trouble: trouble.checked, from, count });
      const answer = await (await ask(`api/services?${query}`)).json();
      room.style.height = `${answer.matching * HEIGHT}px`;
      room.replaceChildren(...answer.services.map((service, i) => row(service, answer.from + i, answer)));
      document.getElementById('not-counted').textContent = answer.notCounted ?? '';
      document.getElementById('matching').textContent =
        answer.matching === answer.all ? `${answer.all} Services` : `${answer.matching} of ${answer.all} Services`;
    } while (again);
  } finally {
    asking = false;
  }
}

/** Calls `changed` when other rows are to be shown. */
export function onOtherRows(changed) {
  list.addEventListener('scroll', () => requestAnimationFrame(changed));
  for (const input of [filter, trouble]) {
    input.addEventListener('input', () => {
      list.scrollTop = 0;
      changed();
    });
  }
}
