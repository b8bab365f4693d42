const words = (text: string): readonly string[] => text.split(/\s+/)

export const firstNames =
  words(`Ada Alma Amir Anna Ben Bella Caleb Cara Chen Clara Dana Diego Ella Emil Eva Felix
  Fiona Gabe Grace Hana Hugo Ida Ivan Jada Jonas June Kai Kira Lars Lena Leo Lila Luca Maya Mia Milo Nadia Noah Nora
  Omar Owen Paula Priya Quinn Rosa Ruth Sam Sara Silas Sofia Theo Tessa Uma Vera Victor Wendy Xavier Yara Yusuf Zoe`)

export const lastNames =
  words(`Abbott Adler Baker Barnes Bell Brooks Carter Chavez Cohen Cole Cruz Dalton Diaz Doyle
  Ellis Evans Fisher Flores Foster Garcia Gibson Grant Greene Hale Hansen Hayes Howard Hughes Ito Jensen Jones Kaplan
  Keller Khan Kim Lambert Larsen Lee Lopez Marsh Meyer Mills Moreno Morgan Murphy Nguyen Novak Olsen Ortiz Owens Park
  Patel Perez Pierce Quinlan Ramos Reed Reyes Rivers Rossi Santos Shaw Silva Stone Sutton Tanaka Torres Turner Vance
  Vega Wagner Walsh Ward Weber West Wong Wood Yates Young Ziegler`)

export const mailHosts = ['guest.example', 'inbox.example', 'mail.example', 'post.example', 'home.example']
