/** Rows to try pasting with, by the name of their button. */
export const examples = [
  {
    name: 'Table',
    text: [
      'Name\tE-mail\tJoined\tFee\tBoat\tKeys',
      'Astrid Brandt\tastrid@mail.example\t03/04/2019\t£85.00\tEight\tYes',
      'Bilal Aydin\tbilal@mail.example\t17/09/2022\t£85.00\tSingle\tNo',
      'Chidi Nwosu\tchidi@mail.example\t01/02/2024\tfree\tEight\tNo',
      'Dora Lindgren\tdora@mail.example\t22/05/2018\t£42.50\tDouble\tYes',
      'Emeka Osei\t\t09/11/2023\t£85.00\tDouble\tNo',
      'Freya Holm\tfreya@mail.example\t14/06/2021\t£85.00\tEight\tNo',
      'Goran Petrov\tgoran@mail.example\t30/01/2020\t£42.50\tSingle\tYes',
      'Hana Suzuki\thana@mail.example\t11/10/2023\t£85.00\tDouble\tNo',
      'Idris Bello\tidris@mail.example\t25/03/2017\t£85.00\tEight\tYes',
    ].join('\n'),
  },
  {
    name: 'Price list',
    text: [
      'Article,Unit,Price,Group',
      'Victoria sponge,cake,£38.00,Cakes',
      'Carrot cake,cake,£42.00,Cakes',
      'Lemon tart,tart,£26.50,Tarts',
      'Apple tart,tart,£24.00,Tarts',
      'Brownie,piece,£3.20,Small',
      'Scone,piece,£2.40,Small',
      'Delivery,mile,£1.10,Services',
      'Candles,set,£4.50,Services',
    ].join('\n'),
  },
  {
    name: 'Questions',
    text: [
      'Question;Right answer;Topic',
      'Which tree keeps its needles in winter?;Pine;Trees',
      'Which bird hoots at night?;Owl;Birds',
      'What do bees carry?;Pollen;Insects',
      'Which tree gives acorns?;Oak;Trees',
      'Which bird cannot fly?;Penguin;Birds',
      'How many legs has a spider?;Eight;Insects',
    ].join('\n'),
  },
] as const;
