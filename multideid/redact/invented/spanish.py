"""Spanish names, professions and countries, written by hand and not from any corpus."""

from __future__ import annotations

FIRST_NAMES_FEMALE = """
Adela Adoración Alba Alejandra Alicia Almudena Amparo Ana Andrea Ángela Antonia Araceli Aurora
Beatriz Begoña Belén Berta Blanca Brígida Carla Carlota Carmela Carmen Carolina Casandra Cecilia
Celia Clara Concepción Consuelo Cristina Dalia Daniela Diana Dolores Dorotea Elena Elisa Elvira
Emilia Encarnación Esperanza Estefanía Estela Esther Eva Fátima Felisa Fernanda Flora Francisca
Gabriela Gema Genoveva Gloria Graciela Guadalupe Herminia Hilda Hortensia Inés Irene Isabel
Isidora Jacinta Jimena Josefa Juana Julia Juliana Laura Lidia Lorena Lourdes Lucía Luisa
Macarena Magdalena Manuela Margarita Mariana Marina Marta Matilde Mercedes Míriam Mónica
Natalia Nerea Nieves Noelia Norma Nuria Ofelia Olga Paloma Patricia Paula Pilar Purificación
Ramona Raquel Rebeca Remedios Rocío Rosa Rosario Rosalía Sandra Sara Silvia Sofía Soledad Susana
Tamara Tatiana Teodora Teresa Tomasa Trinidad Valentina Vanesa Verónica Vicenta Victoria Violeta
Virginia Viviana
"""

FIRST_NAMES_MALE = """
Adolfo Adrián Agustín Alberto Alejandro Alfonso Alfredo Álvaro Andrés Ángel Antonio Arturo
Baltasar Bartolomé Basilio Benito Benjamín Bernardo Borja Bruno Camilo Carlos Casimiro César
Claudio Cristóbal Damián Daniel Dario David Diego Dionisio Domingo Eduardo Elías Emilio Enrique
Ernesto Esteban Eugenio Fabián Federico Feliciano Felipe Fermín Fernando Francisco Gabriel Gaspar
Gerardo Gonzalo Gregorio Guillermo Gustavo Hernán Hilario Héctor Horacio Hugo Ignacio Isidro Iván
Jacobo Jaime Javier Jerónimo Joaquín Jorge José Juan Julián Lázaro Leandro Leonardo Leopoldo
Lorenzo Lucas Luciano Luis Manuel Marcelo Marcos Mariano Mario Martín Mateo Mauricio Maximiliano
Miguel Narciso Nazario Nicanor Nicolás Norberto Octavio Óscar Pablo Pascual Patricio Pedro
Plácido Rafael Raimundo Ramiro Ramón Raúl Ricardo Roberto Rodrigo Rogelio Rubén Salvador Samuel
Santiago Saturnino Sebastián Sergio Silvestre Simón Teodoro Teófilo Timoteo Tomás Valentín Valerio
Vicente Víctor Virgilio Wenceslao
"""

LAST_NAMES = """
Abad Acosta Aguado Aguilar Alarcón Alcaraz Alonso Amador Aranda Arce Arias Arroyo Avilés Ayala
Ballesteros Barbero Barrios Bautista Belmonte Benavente Bermejo Bernal Berrocal Bonilla Bravo
Caballero Cabello Calderón Camacho Campillo Cárdenas Carmona Carrasco Castaño Castellanos Cerezo
Cisneros Collado Cordón Cuenca Cuevas Dávila Delgado Domingo Donoso Dorado Duarte Dueñas Durán
Egea Elizalde Enríquez Escobar Escribano Escudero Espejo Espinosa Esteban Estévez Expósito
Fajardo Feijoo Fernández Ferrer Figueroa Flores Fonseca Fraile Franco Frías Fuentes Fuertes
Galán Gallardo Gallego Garrido Gil Godoy Gordillo Granados Guerrero Guijarro Gutiérrez Guzmán
Heras Heredia Hernando Herranz Herrera Herrero Hervás Hidalgo Hinojosa Hoyos Huertas Hurtado
Ibáñez Iborra Iglesias Infante Iniesta Izquierdo Jara Jerez Jiménez Jordán Jorquera Juárez Junco
Laguna Lara Larrañaga Ledesma León Liébana Linares Lizana Llamas Llorente Lobato Loarte Lorca
Lozano Luján Luque Macías Madrid Maldonado Manzano Marchena Marín Medina Mena Merino Molina
Montero Morales Moreno Moya Muñoz Nadal Naranjo Narváez Navarrete Navas Nevado Nieto Nogales
Noriega Núñez Ocaña Ochoa Ojeda Olivares Olmedo Olmos Ordóñez Orellana Ortega Osorio Otero Oviedo
Pacheco Palacios Pardo Paredes Pastor Peláez Peralta Perea Pizarro Plaza Ponce Porras Prieto
Quesada Quevedo Quintana Quiroga Ramos Rebollo Redondo Requena Reyes Ribera Rincón Robles Roldán
Rosales Rueda Ruiz Sáez Salazar Salcedo Salinas Santana Segura Serrano Sierra Solís Soriano Sosa
Talavera Tapia Tejada Tejero Tello Toledo Tomás Toribio Tornero Torralba Trujillo Turégano Ugarte
Urbina Uribe Valdivia Valencia Valero Vallejo Valverde Varela Vargas Velasco Velázquez Vera
Vicente Vidal Villalba Villegas Yáñez Zafra Zambrano Zapata Zarco Zúñiga
"""

PROFESSIONS = (
    "administrativo", "agricultor", "albañil", "apicultor", "arquitecto", "bibliotecario",
    "bombero", "camarero", "camionero", "carpintero", "cartero", "cocinero", "dependiente",
    "electricista", "encofrador", "florista", "fontanero", "ganadero", "jardinero", "joyero",
    "maestro", "mecánico", "panadero", "peluquero", "periodista", "pescador", "pintor",
    "recepcionista", "relojero", "sastre", "soldador", "taxista", "traductor", "zapatero",
)  # fmt: skip

COUNTRIES = (
    "Alemania", "Argelia", "Argentina", "Australia", "Austria", "Bélgica", "Bolivia", "Brasil",
    "Bulgaria", "Canadá", "Chile", "China", "Colombia", "Costa Rica", "Cuba", "Dinamarca",
    "Ecuador", "Egipto", "El Salvador", "España", "Estados Unidos", "Filipinas", "Finlandia",
    "Francia", "Grecia", "Guatemala", "Honduras", "India", "Irlanda", "Italia", "Japón",
    "Marruecos", "México", "Nicaragua", "Noruega", "Países Bajos", "Panamá", "Paraguay", "Perú",
    "Polonia", "Portugal", "Reino Unido", "República Dominicana", "Rumanía", "Senegal", "Suecia",
    "Suiza", "Túnez", "Turquía", "Ucrania", "Uruguay", "Venezuela",
)  # fmt: skip
