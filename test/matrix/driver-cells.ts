/** What some cells of the tables must come out as, down the page of everybody's records. */

const orgs = ['zebra', '{"a": 1}', 'Äpfel', '日本 株式会社', '🙂 Ltd']

export const assessmentCells = {
  licence: ['LIC-1', 'LIC-€', 'LIC-3', 'LIC-4', '', 'LIC-2', ''],
  assessment_type: ['"kind"', '"kind"', '{}', 'null', '""', '"Ünï"', '1.5'],
  first_name: ['Zoë 😀', 'Zoë 😀', 'Łukasz 日本', 'Ada', '[1, 2]', 'Zoë 😀', 'Pat'],
  practitioner_first_name: ['Zoë 😀', 'Pat', 'Pat', 'Łukasz 日本', '', '', 'Pat'],
  avatarUrl: ['', '', 'ü.png', 'a.png', null, '', null],
  org_names: [orgs, orgs, ['Even Inc'], ['o\'\\Hara & "Sons"'], [], orgs, []],
  date_assignment: [
    ...['1969-12-31T23:59:59Z', '2024-03-10T02:30:00Z', '', '', '2024-01-01T00:00:00Z', '1000-01-01T00:00:00Z'],
    '9999-12-31T23:59:59Z'
  ],
  date_conclusion: [null, '2024-03-31T02:30:00Z', null, '2038-01-19T03:14:07Z', null, '1970-01-01T00:00:01Z', null]
}

export const paymentCells = {
  email: ['', 'ODD@example.org', 'łukasz@example.org', 'ada@example.org', 'ada@example.org'],
  amount: [0.1, 1234567.89, -0.05, 1234567890123.45, 12],
  quantity: [1, 1, 0, -1, 127],
  payment_intent: ['guest', 'pi_odd', 'pi_even', 'PI_日本', 'pi_😀'],
  paid_at: ['', '2024-03-31 02:30:00', '', '', ''],
  payment_method: ['', 'card', 'cash', 'card,cash', 'card'],
  payment_status: ['', 'paid', 'opën', '€', 'paid'],
  processor_status: ['pending', 'succeeded', 'Succeeded', 'succeeded', 'succeeded '],
  created_at: [
    ...['2038-01-19 03:14:07', '2024-03-31 01:30:00', '2024-03-31 00:30:00', '1970-01-01 00:00:01'],
    '1970-01-01 00:00:01'
  ]
}

const codes = ['ABC', 'abc ', 'ábc', '12', '12abc', '012', '1.2e1', '0x0c', 'abc']
const assigned = ['2024-03-01T00:00:00Z', '2024-03-01T10:20:30Z', '2024-03-01T08:20:30Z']

export const textCells = {
  user_id: codes,
  first_name: codes.map((code) => `Ñame of ${code}`),
  practitioner_last_name: codes.map((code) => `日本 ${code}`),
  org_names: codes.map((code) => [code]),
  date_assignment: [...assigned, ...assigned, ...assigned],
  date_conclusion: codes.map((_code, index) => (index % 3 === 1 ? '2024-03-01T10:20:30Z' : null))
}

export const textPaymentCells = {
  email: ['ABC', 'abc', '0x0c', '1.2e1', '012', '12abc', '12', 'ábc', 'abc '].map((code) => `${code}@Example.org`),
  amount: [1e20, 0.1, -129.5, 1e20, 0.1, -129.5, 1e20, 0.1, -129.5],
  quantity: codes.map(() => 2),
  paid_at: ['', '1969-07-20 00:00:00', '', '', '1969-07-20 00:00:00', '', '', '1969-07-20 00:00:00', '']
}
